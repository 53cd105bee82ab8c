// SPDX-License-Identifier: Apache-2.0
// Keys and values of a head become float32 once, keys transposed, so that a query's scores and its result take vectors.
#include "blocks/vector_math.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void attention_bias_in_powers_of_two(const float16* q, const float16* k, const float16* v, const float16* bias, float16* o, int64_t B,
    int64_t H, int64_t N, int64_t D, int64_t P, int64_t W) {
  const int64_t S = P * W;
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
        const float16* by_row = bias + (head * N + n) * (P + W);
        const float16* by_place = by_row + P;
        for (int64_t p = 0; p < P; ++p)
          for (int64_t w = 0; w < W; ++w) scores[p * W + w] = 0.6931471805599453f * (static_cast<float>(by_row[p]) + static_cast<float>(by_place[w]));
        for (int64_t d = 0; d < D; ++d) {
          const float factor = scale * static_cast<float>(q[at + d]);
          for (int64_t s = 0; s < S; ++s) scores[s] += factor * keys[d * S + s];
        }
        const float largest = *std::max_element(scores.begin(), scores.end());
        float total = 0;
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
