// SPDX-License-Identifier: Apache-2.0
// Keys are transposed once for each head, so that a query's scores take vectors.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void squared_causal_attention(const float* q, const float* k, const float* v, float* y, int64_t B, int64_t H, int64_t T, int64_t K,
                                         int64_t V) {
  const float scale = 1 / std::sqrt(static_cast<float>(K));
#pragma omp parallel
  {
    std::vector<float> keys(K * T), scores(T);
#pragma omp for schedule(dynamic)
    for (int64_t head = 0; head < B * H; ++head) {
      for (int64_t t = 0; t < T; ++t)
        for (int64_t i = 0; i < K; ++i) keys[i * T + t] = k[(head * T + t) * K + i];
      for (int64_t t = 0; t < T; ++t) {
        std::fill_n(scores.begin(), t + 1, 0.0f);
        for (int64_t i = 0; i < K; ++i) {
          const float factor = scale * q[(head * T + t) * K + i];
          for (int64_t s = 0; s <= t; ++s) scores[s] += factor * keys[i * T + s];
        }
        float* out = y + (head * T + t) * V;
        std::fill_n(out, V, 0.0f);
        float total = 1e-5f;
        for (int64_t s = 0; s <= t; ++s) {
          const float weight = scores[s] * scores[s];
          total += weight;
          for (int64_t j = 0; j < V; ++j) out[j] += weight * v[(head * T + s) * V + j];
        }
        for (int64_t j = 0; j < V; ++j) out[j] /= total;
      }
    }
  }
}
