// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include "kernel.h"

extern "C" void embedding_add_tanh(const float* table, const int64_t* indices, const float* other, float* y, [[maybe_unused]] int64_t V,
                                   int64_t D, int64_t K) {
#pragma omp parallel for
  for (int64_t k = 0; k < K; ++k) {
    const float* row = table + indices[k] * D;
    for (int64_t d = 0; d < D; ++d) y[k * D + d] = blocks::tanh(row[d] + other[k * D + d]);
  }
}
