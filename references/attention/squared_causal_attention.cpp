// SPDX-License-Identifier: Apache-2.0
// Some queries of a head at a time, whose products with all keys up to the last of them are one product. Weights of later keys are 0.
#include "blocks/product.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void squared_causal_attention(const float* q, const float* k, const float* v, float* y, int64_t B, int64_t H, int64_t T, int64_t K,
                                         int64_t V) {
  constexpr int64_t kQueries = 48;
  const float scale = 1 / std::sqrt(static_cast<float>(K));
#pragma omp parallel
  {
    std::vector<float> weights(kQueries * T), total(kQueries);
#pragma omp for collapse(2) schedule(dynamic)
    for (int64_t head = 0; head < B * H; ++head)
      for (int64_t first = 0; first < T; first += kQueries) {
        const int64_t count = std::min(kQueries, T - first), seen = first + count;
        const float *queries = q + (head * T + first) * K, *keys = k + head * T * K, *values = v + head * T * V;
        float* out = y + (head * T + first) * V;
        blocks::product(count, seen, K, blocks::row_major(queries, K), blocks::transposed(keys, K), weights.data(), seen);
        for (int64_t i = 0; i < count; ++i) {
          float *row = &weights[i * seen], sum = 1e-5f;
          const int64_t own = first + i + 1;
#pragma omp simd reduction(+ : sum)
          for (int64_t s = 0; s < own; ++s) {
            const float score = scale * row[s];
            sum += row[s] = score * score;
          }
          std::fill(row + own, row + seen, 0.0f);
          total[i] = sum;
        }
        blocks::product(count, V, seen, blocks::row_major(weights.data(), seen), blocks::row_major(values, V), out, V);
        for (int64_t i = 0; i < count; ++i)
          for (int64_t j = 0; j < V; ++j) out[i * V + j] /= total[i];
      }
  }
}
