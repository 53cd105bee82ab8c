// SPDX-License-Identifier: Apache-2.0
// The keys that a request and head need are gathered once, as float32 and transposed, so that a query's scores and its result take vectors.
#include "blocks/vector_math.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void packed_attention_over_pages(const float16* q, const float16* k, const float16* v, const int64_t* tokens, const int64_t* requests,
    const int64_t* offsets, const int64_t* cached, float16* o, [[maybe_unused]] int64_t T, int64_t G, int64_t R, int64_t D, [[maybe_unused]] int64_t P, [[maybe_unused]] int64_t N, int64_t C,
    int64_t L, int64_t B) {
  const float scale = 1 / std::sqrt(static_cast<float>(D));
#pragma omp parallel
  {
    std::vector<float> keys, values, scores, sums(D);
#pragma omp for collapse(2) schedule(dynamic)
    for (int64_t g = 0; g < G; ++g)
      for (int64_t b = 0; b < B; ++b) {
        const int64_t first = offsets[b], end = offsets[b + 1], before = cached[b], S = before + end - first;
        if (first == end) continue;
        const auto key_row = [&](int64_t s) { return (tokens[requests[b] * (C + L) + s] * G + g) * D; };
        keys.resize(D * S);
        values.resize(S * D);
        scores.resize(S);
        for (int64_t s = 0; s < S; ++s)
          for (int64_t d = 0; d < D; ++d) {
            keys[d * S + s] = static_cast<float>(k[key_row(s) + d]);
            values[s * D + d] = static_cast<float>(v[key_row(s) + d]);
          }
        for (int64_t t = first; t < end; ++t)
          for (int64_t head = g * R; head < (g + 1) * R; ++head) {
            const float16* query = q + (t * G * R + head) * D;
            const int64_t seen = t - first + before + 1, from = 0;
            std::fill(scores.begin() + from, scores.begin() + seen, 0.0f);
            for (int64_t d = 0; d < D; ++d) {
              const float factor = scale * static_cast<float>(query[d]);
              for (int64_t s = from; s < seen; ++s) scores[s] += factor * keys[d * S + s];
            }
            const float largest = *std::max_element(scores.begin() + from, scores.begin() + seen);
            float total = 0;
#pragma omp simd reduction(+ : total)
            for (int64_t s = from; s < seen; ++s) total += scores[s] = blocks::exp(scores[s] - largest);
            std::fill(sums.begin(), sums.end(), 0.0f);
            for (int64_t s = from; s < seen; ++s)
              for (int64_t d = 0; d < D; ++d) sums[d] += scores[s] * values[s * D + d];
            for (int64_t d = 0; d < D; ++d) o[(t * G * R + head) * D + d] = static_cast<float16>(sums[d] / total);
          }
      }
  }
}
