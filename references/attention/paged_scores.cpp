// SPDX-License-Identifier: Apache-2.0
// Rows of the pool are read once for all heads; a row is long enough for vectors.
#include <cmath>

#include "kernel.h"

extern "C" void paged_scores(const float* q, const float* keys, const int64_t* tokens, const int64_t* offsets, float* scores, int64_t B,
                             int64_t H, int64_t D, [[maybe_unused]] int64_t P, int64_t M, int64_t T) {
  const float scale = 1 / std::sqrt(static_cast<float>(D));
#pragma omp parallel for schedule(dynamic)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t t = offsets[b]; t < offsets[b + 1]; ++t) {
      const float* row = keys + tokens[b * M + t - offsets[b]] * H * D;
      for (int64_t h = 0; h < H; ++h) {
        const float *key = row + h * D, *query = q + (b * H + h) * D;
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int64_t d = 0; d < D; ++d) sum += query[d] * key[d];
        scores[h * T + t] = sum * scale;
      }
    }
}
