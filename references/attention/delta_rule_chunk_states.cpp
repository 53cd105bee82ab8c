// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "kernel.h"

extern "C" void delta_rule_chunk_states(const float* k, const float* w, const float* u, float* h, float* rest, int64_t B, int64_t H, int64_t M,
                                        int64_t C, int64_t K, int64_t V) {
#pragma omp parallel
  {
    std::vector<float> s(K * V);
#pragma omp for schedule(dynamic)
    for (int64_t head = 0; head < B * H; ++head) {
      std::fill(s.begin(), s.end(), 0.0f);
      for (int64_t chunk = head * M; chunk < (head + 1) * M; ++chunk) {
        std::copy(s.begin(), s.end(), h + chunk * K * V);
        for (int64_t t = chunk * C; t < (chunk + 1) * C; ++t) {
          float* left = rest + t * V;
          std::copy_n(u + t * V, V, left);
          for (int64_t c = 0; c < K; ++c)
            for (int64_t j = 0; j < V; ++j) left[j] -= w[t * K + c] * s[c * V + j];
        }
        for (int64_t c = 0; c < K; ++c)
          for (int64_t t = chunk * C; t < (chunk + 1) * C; ++t)
            for (int64_t j = 0; j < V; ++j) s[c * V + j] += k[t * K + c] * rest[t * V + j];
      }
    }
  }
}
