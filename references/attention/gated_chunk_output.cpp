// SPDX-License-Identifier: Apache-2.0
// Chunks are independent, for their states are given. exp(g[i] - g[j]) is at most 1 where exp(g[i]) / exp(g[j]) may overflow.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void gated_chunk_output(const float* q, const float* k, const float* v, const float* g, const float* h, float* y, int64_t B,
                                   int64_t H, int64_t M, int64_t C, int64_t K, int64_t V) {
  const float scale = 1 / std::sqrt(static_cast<float>(K));
#pragma omp parallel
  {
    std::vector<float> keys(K * C), scores(C);
#pragma omp for schedule(dynamic)
    for (int64_t chunk = 0; chunk < B * H * M; ++chunk) {
      const float *gate = g + chunk * C, *values = v + chunk * C * V, *state = h + chunk * K * V;
      for (int64_t j = 0; j < C; ++j)
        for (int64_t c = 0; c < K; ++c) keys[c * C + j] = k[(chunk * C + j) * K + c];
      for (int64_t i = 0; i < C; ++i) {
        const float* query = q + (chunk * C + i) * K;
        float* out = y + (chunk * C + i) * V;
        std::fill_n(out, V, 0.0f);
        std::fill_n(scores.begin(), i + 1, 0.0f);
        const float growth = scale * std::exp(gate[i]);
        for (int64_t c = 0; c < K; ++c) {
          for (int64_t j = 0; j <= i; ++j) scores[j] += query[c] * keys[c * C + j];
          const float weight = growth * query[c];
          for (int64_t d = 0; d < V; ++d) out[d] += weight * state[c * V + d];
        }
        for (int64_t j = 0; j <= i; ++j) {
          const float weight = scale * scores[j] * std::exp(gate[i] - gate[j]);
          for (int64_t d = 0; d < V; ++d) out[d] += weight * values[j * V + d];
        }
      }
    }
  }
}
