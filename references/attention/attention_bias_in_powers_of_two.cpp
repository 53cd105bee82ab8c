// SPDX-License-Identifier: Apache-2.0
// A head at a time: it becomes float32, then two products with a softmax between them.
#include "blocks/vector_math.h"
#include "blocks/product.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void attention_bias_in_powers_of_two(const float16* q, const float16* k, const float16* v,
                                                const float16* bias, float16* o, int64_t B, int64_t H, int64_t N,
                                                int64_t D, int64_t P, int64_t W) {
  const int64_t S = P * W;
  const float scale = 1 / std::sqrt(static_cast<float>(D));
#pragma omp parallel
  {
    std::vector<float> queries(N * D), keys(S * D), values(S * D), scores(N * S), sums(N * D);
#pragma omp for schedule(dynamic)
    for (int64_t head = 0; head < B * H; ++head) {
      for (int64_t i = 0; i < N * D; ++i) queries[i] = scale * static_cast<float>(q[head * N * D + i]);
      for (int64_t i = 0; i < S * D; ++i) {
        keys[i] = static_cast<float>(k[head * S * D + i]);
        values[i] = static_cast<float>(v[head * S * D + i]);
      }
      for (int64_t n = 0; n < N; ++n) {
        const float16* by_row = bias + (head * N + n) * (P + W);
        for (int64_t p = 0; p < P; ++p)
          for (int64_t w = 0; w < W; ++w)
            scores[n * S + p * W + w] =
                0.6931471805599453f * (static_cast<float>(by_row[p]) + static_cast<float>(by_row[P + w]));
      }
      blocks::product(N, S, D, blocks::row_major(queries.data(), D), blocks::transposed(keys.data(), D), scores.data(),
                      S, true);
      for (int64_t n = 0; n < N; ++n) {
        float* row = &scores[n * S];
        float largest = row[0], total = 0;
#pragma omp simd reduction(max : largest)
        for (int64_t s = 0; s < S; ++s) largest = row[s] > largest ? row[s] : largest;
#pragma omp simd reduction(+ : total)
        for (int64_t s = 0; s < S; ++s) total += row[s] = blocks::exp(row[s] - largest);
        for (int64_t s = 0; s < S; ++s) row[s] /= total;
      }
      blocks::product(N, D, S, blocks::row_major(scores.data(), S), blocks::row_major(values.data(), D), sums.data(),
                      D);
      for (int64_t i = 0; i < N * D; ++i) o[head * N * D + i] = static_cast<float16>(sums[i]);
    }
  }
}
