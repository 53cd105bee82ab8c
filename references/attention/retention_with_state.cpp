// SPDX-License-Identifier: Apache-2.0
// Step by step, with the state of a head in the first-level cache; its rows are vectors.
#include "blocks/vector_math.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void retention_with_state(const float* q, const float* k, const float* v, const float* state, float* y, float* final_state,
    int64_t B, int64_t T, int64_t H,
    int64_t K, int64_t V) {
  const float scale = 1 / std::sqrt(static_cast<float>(K));
#pragma omp parallel
  {
    std::vector<float> s(K * V);
#pragma omp for collapse(2) schedule(dynamic)
    for (int64_t b = 0; b < B; ++b)
      for (int64_t h = 0; h < H; ++h) {
        std::copy_n(state + (b * H + h) * K * V, K * V, s.begin());
        const float rate = 1 - blocks::exp2(-5.0f - static_cast<float>(h));
        for (int64_t t = 0; t < T; ++t) {
          const float *key = k + ((b * T + t) * H + h) * K, *query = q + ((b * T + t) * H + h) * K;
          const float* value = v + ((b * T + t) * H + h) * V;
          float* out = y + ((b * T + t) * H + h) * V;
          std::fill_n(out, V, 0.0f);
          for (int64_t i = 0; i < K; ++i) {
            float* row = s.data() + i * V;
            const float weight = scale * query[i];
            for (int64_t j = 0; j < V; ++j) {
              row[j] = rate * row[j] + key[i] * value[j];
              out[j] += weight * row[j];
            }
          }
        }
        std::copy(s.begin(), s.end(), final_state + (b * H + h) * K * V);
      }
  }
}
