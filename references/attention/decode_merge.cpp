// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include <algorithm>

#include "kernel.h"

extern "C" void decode_merge(const float* partial, const float* log_sums, const int64_t* lengths, float* o, int64_t B, int64_t H, int64_t S,
                             int64_t D) {
#pragma omp parallel for collapse(2)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t h = 0; h < H; ++h) {
      const int64_t blocks = (lengths[b] + 15) / 16;
      const float* log_sum = log_sums + (b * H + h) * S;
      const float* outputs = partial + (b * H + h) * S * D;
      const float highest = *std::max_element(log_sum, log_sum + blocks);
      float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
      for (int64_t s = 0; s < blocks; ++s) sum += blocks::exp(log_sum[s] - highest);
      float* merged = o + (b * H + h) * D;
      std::fill_n(merged, D, 0.0f);
      for (int64_t s = 0; s < blocks; ++s) {
        const float weight = blocks::exp(log_sum[s] - highest) / sum;
        for (int64_t d = 0; d < D; ++d) merged[d] += weight * outputs[s * D + d];
      }
    }
}
