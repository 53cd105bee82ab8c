// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void embedding(const int64_t* indices, const float* table, float* y, int64_t B, int64_t S, int64_t V, int64_t D) {
#pragma omp parallel for
  for (int64_t b = 0; b < B; ++b) {
    for (int64_t s = 0; s < S; ++s) {
      for (int64_t d = 0; d < D; ++d) y[(b * S + s) * D + d] = table[indices[b * S + s] * D + d];
    }
  }
}
