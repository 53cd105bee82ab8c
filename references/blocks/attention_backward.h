// SPDX-License-Identifier: Apache-2.0
// Gradients of attention, some queries of a head at a time: their scores are computed again, and the gradients of keys and values grow by
// what these queries give.
#pragma once

#include "blocks/vector_math.h"
#include "blocks/product.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace blocks {

/// The probabilities of a row of scores, then from dp, in its place, the gradients of the scores; those of later keys are 0.
inline void softmax_backward(float* p, float* dp, int64_t own, int64_t keys, float scale) {
  float largest = -std::numeric_limits<float>::infinity(), sum = 0, common = 0;
#pragma omp simd reduction(max : largest)
  for (int64_t s = 0; s < own; ++s) largest = largest < p[s] ? p[s] : largest;
#pragma omp simd reduction(+ : sum, common)
  for (int64_t s = 0; s < own; ++s) {
    p[s] = exp((p[s] - largest) * scale);
    sum += p[s];
    common += p[s] * dp[s];
  }
  const float share = 1 / sum, mean = common * share;
  for (int64_t s = 0; s < own; ++s) {
    p[s] *= share;
    dp[s] = p[s] * (dp[s] - mean) * scale;
  }
  std::fill(p + own, p + keys, 0.0f);
  std::fill(dp + own, dp + keys, 0.0f);
}

/// dq [H, N, D], dk and dv [H, S, D] of softmax(q k^T / sqrt(D)) v from dy [H, N, D]; `causal`: query n sees keys 0 to n alone.
inline void attention_backward(int64_t H, int64_t N, int64_t S, int64_t D, bool causal, const float* q, const float* k, const float* v,
                               const float* dy, float* dq, float* dk, float* dv) {
  constexpr int64_t kQueries = 48;
  const float scale = 1 / std::sqrt(static_cast<float>(D));
#pragma omp parallel
  {
    std::vector<float> p(kQueries * S), ds(kQueries * S);
#pragma omp for schedule(dynamic)
    for (int64_t h = 0; h < H; ++h) {
      const int64_t queries = h * N * D, keys = h * S * D;
      std::fill_n(dk + keys, S * D, 0.0f);
      std::fill_n(dv + keys, S * D, 0.0f);
      for (int64_t first = 0; first < N; first += kQueries) {
        const int64_t count = std::min(kQueries, N - first), seen = causal ? first + count : S, at = queries + first * D;
        product(count, seen, D, row_major(q + at, D), transposed(k + keys, D), p.data(), seen);
        product(count, seen, D, row_major(dy + at, D), transposed(v + keys, D), ds.data(), seen);
        for (int64_t i = 0; i < count; ++i) softmax_backward(&p[i * seen], &ds[i * seen], causal ? first + i + 1 : S, seen, scale);
        product(count, D, seen, row_major(ds.data(), seen), row_major(k + keys, D), dq + at, D);
        product(seen, D, count, transposed(ds.data(), seen), row_major(q + at, D), dk + keys, D, true);
        product(seen, D, count, transposed(p.data(), seen), row_major(dy + at, D), dv + keys, D, true);
      }
    }
  }
}

}  // namespace blocks
