// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

extern "C" void moe_finalize_routing(const float* rows, const float* skip1, const float* skip2, const float* bias, const float* scales,
                                     const int32_t* places, const int32_t* experts, float* y, int64_t T, int64_t K, int64_t D,
                                     [[maybe_unused]] int64_t E) {
#pragma omp parallel for
  for (int64_t t = 0; t < T; ++t) {
    float* to = y + t * D;
    for (int64_t d = 0; d < D; ++d) to[d] = skip1[t * D + d] + skip2[t * D + d];
    for (int64_t k = 0; k < K; ++k) {
      const float* row = rows + places[k * T + t] * D;
      const float* shift = bias + experts[t * K + k] * D;
      const float scale = scales[t * K + k];
      for (int64_t d = 0; d < D; ++d) to[d] += scale * (row[d] + shift[d]);
    }
  }
}
