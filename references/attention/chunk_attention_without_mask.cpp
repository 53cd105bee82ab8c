// SPDX-License-Identifier: Apache-2.0
// k^T v joins the state before the chunk's queries read it, since they see all of the chunk.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void chunk_attention_without_mask(const float* q, const float* k, const float* v, float* y, int64_t B, int64_t H, int64_t M,
                                             int64_t K, int64_t V) {
  constexpr int64_t kChunk = 32;
  const float scale = 1 / std::sqrt(static_cast<float>(K));
#pragma omp parallel
  {
    std::vector<float> s(K * V);
#pragma omp for schedule(dynamic)
    for (int64_t head = 0; head < B * H; ++head) {
      std::fill(s.begin(), s.end(), 0.0f);
      for (int64_t first = head * M * kChunk; first < (head + 1) * M * kChunk; first += kChunk) {
        for (int64_t i = 0; i < K; ++i) {
          float* row = s.data() + i * V;
          for (int64_t t = first; t < first + kChunk; ++t)
            for (int64_t j = 0; j < V; ++j) row[j] += k[t * K + i] * v[t * V + j];
        }
        for (int64_t t = first; t < first + kChunk; ++t) {
          float* out = y + t * V;
          std::fill_n(out, V, 0.0f);
          for (int64_t i = 0; i < K; ++i) {
            const float weight = scale * q[t * K + i];
            for (int64_t j = 0; j < V; ++j) out[j] += weight * s[i * V + j];
          }
        }
      }
    }
  }
}
