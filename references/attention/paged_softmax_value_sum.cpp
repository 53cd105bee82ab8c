// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include <algorithm>
#include <cmath>

#include "kernel.h"

extern "C" void paged_softmax_value_sum(const float* scores, const float* values, const int64_t* tokens, const int64_t* offsets, float* o,
                                        int64_t H, int64_t T, [[maybe_unused]] int64_t P, int64_t D, int64_t B, int64_t M) {
#pragma omp parallel for collapse(2) schedule(dynamic)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t h = 0; h < H; ++h) {
      const float *first = scores + h * T + offsets[b], *end = scores + h * T + offsets[b + 1];
      float largest = *first, total = 0;
      for (const float* score = first; score != end; ++score) largest = *score > largest || std::isnan(*score) ? *score : largest;
      float* sum = o + (b * H + h) * D;
      std::fill_n(sum, D, 0.0f);
      for (const float* score = first; score != end; ++score) {
        const float weight = blocks::exp(*score - largest);
        const float* row = values + (tokens[b * M + (score - first)] * H + h) * D;
        total += weight;
        for (int64_t d = 0; d < D; ++d) sum[d] += weight * row[d];
      }
      for (int64_t d = 0; d < D; ++d) sum[d] /= total;
    }
}
