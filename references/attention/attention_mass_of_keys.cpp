// SPDX-License-Identifier: Apache-2.0
// Some queries of one head at a time: a product gives their scores.
#include "blocks/vector_math.h"

#include "blocks/product.h"

#include <cmath>

#include "kernel.h"

extern "C" void attention_mass_of_keys(const float* q, const float* k, const float* m, float* y, int64_t B, int64_t H, int64_t N, int64_t D,
                                       int64_t S) {
  constexpr int64_t kQueries = 96;
  const float scale = 1 / std::sqrt(static_cast<float>(D));
#pragma omp parallel for schedule(dynamic)
  for (int64_t head = 0; head < B * H; ++head) {
    std::vector<float> scores(std::min(N, kQueries) * S);
    float* sums = y + head * S;
    std::fill_n(sums, S, 0.0f);
    for (int64_t first = head * N; first < (head + 1) * N; first += kQueries) {
      const int64_t count = std::min(kQueries, (head + 1) * N - first);
      blocks::product(count, S, D, blocks::row_major(q + first * D, D), blocks::transposed(k + head * S * D, D), scores.data(), S);
      for (int64_t row = 0; row < count; ++row) {
        const float shift = -0.6931471805599453f * m[first + row];
        for (int64_t s = 0; s < S; ++s) sums[s] += blocks::exp(scale * scores[row * S + s] + shift);
      }
    }
  }
}
