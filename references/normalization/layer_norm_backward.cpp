// SPDX-License-Identifier: Apache-2.0
// Rows, then strips of columns: each sum is taken by one thread, in one order, so that equal inputs give equal results.
#include <algorithm>

#include "kernel.h"

extern "C" void layer_norm_backward(const float* dy, const float* x, const float* weight, const float* mean, const float* rstd, float* dx,
                                    float* dweight, float* dbias, int64_t N, int64_t C) {
  constexpr int64_t kStrip = 256;
#pragma omp parallel
  {
#pragma omp for nowait
    for (int64_t n = 0; n < N; ++n) {
      const float *g = dy + n * C, *row = x + n * C, middle = mean[n], scale = rstd[n];
      float w_sum = 0, wu_sum = 0;
#pragma omp simd reduction(+ : w_sum, wu_sum)
      for (int64_t c = 0; c < C; ++c) {
        const float u = (row[c] - middle) * scale, w = g[c] * weight[c];
        w_sum += w;
        wu_sum += w * u;
      }
      const float w_mean = w_sum / static_cast<float>(C), wu_mean = wu_sum / static_cast<float>(C);
      for (int64_t c = 0; c < C; ++c) {
        const float u = (row[c] - middle) * scale;
        dx[n * C + c] = scale * (g[c] * weight[c] - (w_mean + u * wu_mean));
      }
    }
#pragma omp for
    for (int64_t first = 0; first < C; first += kStrip) {
      const int64_t end = std::min(first + kStrip, C);
      std::fill(dweight + first, dweight + end, 0.0f);
      std::fill(dbias + first, dbias + end, 0.0f);
      for (int64_t n = 0; n < N; ++n)
        for (int64_t c = first; c < end; ++c) {
          dweight[c] += dy[n * C + c] * ((x[n * C + c] - mean[n]) * rstd[n]);
          dbias[c] += dy[n * C + c];
        }
    }
  }
}
