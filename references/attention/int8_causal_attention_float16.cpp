// SPDX-License-Identifier: Apache-2.0
// Keys and values of a head become float32 once, keys scaled and transposed, so that a query's scores and its result take vectors.
#include "blocks/vector_math.h"

#include <algorithm>
#include <vector>

#include "kernel.h"

extern "C" void int8_causal_attention_float16(const int8_t* q, const int8_t* k, const float16* v, const float* q_scale, const float* k_scale,
    float16* o, int64_t B, int64_t H, int64_t P, int64_t D) {
  const int64_t N = 128 * P;
#pragma omp parallel
  {
    std::vector<float> keys(D * N), values(N * D), scores(N), sums(D);
#pragma omp for schedule(dynamic)
    for (int64_t head = 0; head < B * H; ++head) {
      const int64_t at = head * N * D;
      for (int64_t s = 0; s < N; ++s)
        for (int64_t d = 0; d < D; ++d) {
          keys[d * N + s] = k_scale[head * 2 * P + s / 64] * static_cast<float>(k[at + s * D + d]);
          values[s * D + d] = static_cast<float>(v[at + s * D + d]);
        }
      for (int64_t n = 0; n < N; ++n) {
        const int64_t seen = n + 1;
        std::fill_n(scores.begin(), seen, 0.0f);
        for (int64_t d = 0; d < D; ++d) {
          const float factor = q_scale[head * P + n / 128] * static_cast<float>(q[at + n * D + d]);
          for (int64_t s = 0; s < seen; ++s) scores[s] += factor * keys[d * N + s];
        }
        const float largest = *std::max_element(scores.begin(), scores.begin() + seen);
        float total = 0;
#pragma omp simd reduction(+ : total)
        for (int64_t s = 0; s < seen; ++s) total += scores[s] = blocks::exp2(scores[s] - largest);
        std::fill(sums.begin(), sums.end(), 0.0f);
        for (int64_t s = 0; s < seen; ++s)
          for (int64_t d = 0; d < D; ++d) sums[d] += scores[s] * values[s * D + d];
        for (int64_t d = 0; d < D; ++d) o[at + n * D + d] = static_cast<float16>(sums[d] / total);
      }
    }
  }
}
