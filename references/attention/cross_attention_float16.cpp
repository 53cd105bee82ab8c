// SPDX-License-Identifier: Apache-2.0
// Keys and values of a head become float32 once, keys transposed, so that a query's scores and its result take vectors.
#include "blocks/vector_math.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void cross_attention_float16(const float16* q, const float16* k, const float16* v, float16* o, int64_t B, int64_t H, int64_t N,
                                        int64_t D, int64_t S) {
  const float scale = 1 / std::sqrt(static_cast<float>(D));
#pragma omp parallel
  {
    std::vector<float> keys(D * S), values(S * D), scores(S), sums(D);
#pragma omp for schedule(dynamic)
    for (int64_t head = 0; head < B * H; ++head) {
      for (int64_t s = 0; s < S; ++s)
        for (int64_t d = 0; d < D; ++d) {
          keys[d * S + s] = static_cast<float>(k[(head * S + s) * D + d]);
          values[s * D + d] = static_cast<float>(v[(head * S + s) * D + d]);
        }
      for (int64_t n = 0; n < N; ++n) {
        const int64_t at = (head * N + n) * D;
        std::fill(scores.begin(), scores.end(), 0.0f);
        for (int64_t d = 0; d < D; ++d) {
          const float factor = scale * static_cast<float>(q[at + d]);
          for (int64_t s = 0; s < S; ++s) scores[s] += factor * keys[d * S + s];
        }
        float largest = scores[0], total = 0;
        for (int64_t s = 1; s < S; ++s) largest = scores[s] > largest || std::isnan(scores[s]) ? scores[s] : largest;
#pragma omp simd reduction(+ : total)
        for (int64_t s = 0; s < S; ++s) total += scores[s] = blocks::exp(scores[s] - largest);
        std::fill(sums.begin(), sums.end(), 0.0f);
        for (int64_t s = 0; s < S; ++s)
          for (int64_t d = 0; d < D; ++d) sums[d] += scores[s] * values[s * D + d];
        for (int64_t d = 0; d < D; ++d) o[at + d] = static_cast<float16>(sums[d] / total);
      }
    }
  }
}
