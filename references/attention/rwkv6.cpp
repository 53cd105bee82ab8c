// SPDX-License-Identifier: Apache-2.0
// Step by step, with the state of a head in the first-level cache; its rows are vectors.
#include "blocks/vector_math.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void rwkv6(const float* r, const float* k, const float* v, const float* w, const float* u, const float* state, float* y,
                      float* final_state, int64_t B, int64_t T, int64_t H, int64_t K, int64_t V) {
  const float scale = 1 / std::sqrt(static_cast<float>(K));
#pragma omp parallel
  {
    std::vector<float> s(K * V);
#pragma omp for collapse(2) schedule(dynamic)
    for (int64_t b = 0; b < B; ++b)
      for (int64_t h = 0; h < H; ++h) {
        std::copy_n(state + (b * H + h) * K * V, K * V, s.begin());
        for (int64_t t = 0; t < T; ++t) {
          const int64_t head = (b * T + t) * H + h;
          const float *value = v + head * V;
          float* out = y + head * V;
          std::fill_n(out, V, 0.0f);
          float own = 0;
          for (int64_t i = 0; i < K; ++i) {
            const float key = k[head * K + i], query = scale * r[head * K + i], fade = blocks::exp(w[head * K + i]);
            own += query * u[h * K + i] * key;
            float* row = s.data() + i * V;
            for (int64_t j = 0; j < V; ++j) {
              out[j] += query * row[j];
              row[j] = fade * row[j] + key * value[j];
            }
          }
          for (int64_t j = 0; j < V; ++j) out[j] += own * value[j];
        }
        std::copy(s.begin(), s.end(), final_state + (b * H + h) * K * V);
      }
  }
}
