// SPDX-License-Identifier: Apache-2.0
// A run of points goes on until all of them have escaped: what has is far from coming back, and NaN in the end.
#include "blocks/vectors.h"

#include <algorithm>

#include "kernel.h"

void mandelbrot_iterations(const float* re, const float* im, int32_t* count, int64_t W, int64_t H) {
  constexpr int64_t run = 64;
#pragma omp parallel for collapse(2) schedule(dynamic, 8)
  for (int64_t h = 0; h < H; ++h)
    for (int64_t begin = 0; begin < W; begin += run) {
      const int64_t length = std::min(run, W - begin);
      float a[run] = {}, x[run] = {}, y[run] = {};
      int32_t steps[run] = {};
      std::copy_n(re + begin, length, a);
      std::fill(a + length, a + run, 3.0f);
      const float b = im[h];
      int32_t inside = 1;
      for (int step = 0; step < 100 && inside != 0; ++step) {
        inside = 0;
#pragma omp simd reduction(| : inside)
        for (int64_t i = 0; i < run; ++i) {
          const float xx = x[i] * x[i], yy = y[i] * y[i];
          const int32_t stays = xx + yy <= 4.0f ? 1 : 0;
          steps[i] += stays;
          inside |= stays;
          y[i] = 2 * x[i] * y[i] + b;
          x[i] = xx - yy + a[i];
        }
      }
      std::copy_n(steps, length, count + h * W + begin);
    }
}
