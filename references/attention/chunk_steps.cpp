// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "kernel.h"

extern "C" void chunk_steps(const float* dt, const float* bias, const float* rate, float* step, float* a, int64_t B, int64_t M, int64_t C,
                            int64_t H) {
#pragma omp parallel for collapse(2)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t m = 0; m < M; ++m)
      for (int64_t h = 0; h < H; ++h) {
        const int64_t first = ((b * H + h) * M + m) * C;
        float sum = 0;
        for (int64_t c = 0; c < C; ++c) {
          const float x = dt[((b * M + m) * C + c) * H + h] + bias[h];
          const float positive = std::max(x, 0.0f) + std::log1p(std::exp(-std::fabs(x)));
          const float kept = std::clamp(positive, 0.001f, 4.0f);
          step[first + c] = kept;
          a[first + c] = sum += rate[h] * kept;
        }
      }
}
