// SPDX-License-Identifier: Apache-2.0
// A chunk at a time: queries fade with the sums as they grow, keys once all are known. Rows do not overlap, so loops over them need no checks.
#include "blocks/vector_math.h"

#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void chunk_decays(const float* g, const float* q, const float* k, float* a, float* faded_q, float* faded_k, int64_t B, int64_t H,
                             int64_t M, int64_t C, int64_t K) {
  const float scale = 1 / std::sqrt(static_cast<float>(K));
#pragma omp parallel
  {
    std::vector<float> sums((C + 1) * K);  // from row 1 on; row 0 is zeros
#pragma omp for
    for (int64_t chunk = 0; chunk < B * H * M; ++chunk) {
      const int64_t first = chunk * C * K;
      for (int64_t i = 0; i < C; ++i) {
        const float* before = &sums[i * K];
        float* sum = &sums[(i + 1) * K];
#pragma omp simd
        for (int64_t c = 0; c < K; ++c) {
          sum[c] = before[c] + g[first + i * K + c];
          a[first + i * K + c] = 1.4426950408889634f * sum[c];
          faded_q[first + i * K + c] = q[first + i * K + c] * blocks::exp(sum[c]) * scale;
        }
      }
      const float* all = &sums[C * K];
      for (int64_t i = 0; i < C; ++i) {
        const float* sum = &sums[(i + 1) * K];
#pragma omp simd
        for (int64_t c = 0; c < K; ++c) faded_k[first + i * K + c] = k[first + i * K + c] * blocks::exp(all[c] - sum[c]);
      }
    }
  }
}
