// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

extern "C" void paged_window_value_sum(const float* weights, const float* values, const int64_t* tokens, const int64_t* requests,
                                       const int64_t* first, const int64_t* offsets, float* o, int64_t H, int64_t T,
                                       [[maybe_unused]] int64_t P, int64_t D, [[maybe_unused]] int64_t R, int64_t C, int64_t W, int64_t B) {
#pragma omp parallel for collapse(2) schedule(dynamic)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t h = 0; h < H; ++h) {
      const int64_t* token = tokens + requests[b] * (C + W) + first[b];
      float* sum = o + (b * H + h) * D;
      std::fill_n(sum, D, 0.0f);
      for (int64_t t = offsets[b]; t < offsets[b + 1]; ++t) {
        const float weight = weights[h * T + t];
        const float* row = values + (*token++ * H + h) * D;
        for (int64_t d = 0; d < D; ++d) sum[d] += weight * row[d];
      }
    }
}
