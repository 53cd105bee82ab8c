// SPDX-License-Identifier: Apache-2.0
// A chunk's steps and sums are computed in the order of dt, all heads side by side, and then written head by head.
#include "blocks/vector_math.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void chunk_steps(const float* dt, const float* bias, const float* rate, float* step, float* a, int64_t B, int64_t M, int64_t C,
                            int64_t H) {
#pragma omp parallel
  {
    std::vector<float> kept(C * H), sums(C * H), sum(H);
#pragma omp for collapse(2)
    for (int64_t b = 0; b < B; ++b)
      for (int64_t m = 0; m < M; ++m) {
        std::fill(sum.begin(), sum.end(), 0.0f);
        for (int64_t c = 0; c < C; ++c)
#pragma omp simd
          for (int64_t h = 0; h < H; ++h) {
            const float x = dt[((b * M + m) * C + c) * H + h] + bias[h];
            const float positive = (x < 0 ? 0 : x) + blocks::log1p_of_unit(blocks::exp(-std::fabs(x)));
            const float raised = positive < 0.001f ? 0.001f : positive, length = 4.0f < raised ? 4.0f : raised;
            kept[c * H + h] = length;
            sum[h] += rate[h] * length;
            sums[c * H + h] = sum[h];
          }
        for (int64_t h = 0; h < H; ++h) {
          const int64_t first = ((b * H + h) * M + m) * C;
          for (int64_t c = 0; c < C; ++c) {
            step[first + c] = kept[c * H + h];
            a[first + c] = sums[c * H + h];
          }
        }
      }
  }
}
