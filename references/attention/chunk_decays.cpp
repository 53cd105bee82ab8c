// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void chunk_decays(const float* g, const float* q, const float* k, float* a, float* faded_q, float* faded_k, int64_t B, int64_t H,
                             int64_t M, int64_t C, int64_t K) {
  const float scale = 1 / std::sqrt(static_cast<float>(K));
#pragma omp parallel
  {
    std::vector<float> sums(C * K);
#pragma omp for
    for (int64_t chunk = 0; chunk < B * H * M; ++chunk) {
      const int64_t first = chunk * C * K;
      for (int64_t i = 0; i < C; ++i)
        for (int64_t c = 0; c < K; ++c) {
          sums[i * K + c] = g[first + i * K + c] + (i > 0 ? sums[(i - 1) * K + c] : 0.0f);
          a[first + i * K + c] = 1.4426950408889634f * sums[i * K + c];
        }
      const float* all = sums.data() + (C - 1) * K;
      for (int64_t i = 0; i < C; ++i)
        for (int64_t c = 0; c < K; ++c) {
          faded_q[first + i * K + c] = q[first + i * K + c] * std::exp(sums[i * K + c]) * scale;
          faded_k[first + i * K + c] = k[first + i * K + c] * std::exp(all[c] - sums[i * K + c]);
        }
    }
  }
}
