// SPDX-License-Identifier: Apache-2.0
// Rows, then strips of columns: each sum is taken by one thread, in one order, so that equal inputs give equal results.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void rms_norm_backward(const float* x, const float* weight, const float* dy, float* dx, float* dweight, int64_t N, int64_t C) {
  constexpr int64_t kStrip = 256;
  std::vector<float> rstd(N);
#pragma omp parallel
  {
#pragma omp for
    for (int64_t n = 0; n < N; ++n) {
      const float *row = x + n * C, *g = dy + n * C;
      float squares = 0, along = 0;
#pragma omp simd reduction(+ : squares)
      for (int64_t c = 0; c < C; ++c) squares += row[c] * row[c];
      const float scale = 1 / std::sqrt(squares / static_cast<float>(C) + 1e-6f);
#pragma omp simd reduction(+ : along)
      for (int64_t c = 0; c < C; ++c) along += g[c] * weight[c] * (row[c] * scale);
      const float mean = along / static_cast<float>(C);
      for (int64_t c = 0; c < C; ++c) dx[n * C + c] = scale * (g[c] * weight[c] - row[c] * scale * mean);
      rstd[n] = scale;
    }
#pragma omp for
    for (int64_t first = 0; first < C; first += kStrip) {
      const int64_t end = std::min(first + kStrip, C);
      std::fill(dweight + first, dweight + end, 0.0f);
      for (int64_t n = 0; n < N; ++n)
        for (int64_t c = first; c < end; ++c) dweight[c] += dy[n * C + c] * (x[n * C + c] * rstd[n]);
    }
  }
}
