// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void mandelbrot_iterations(const float* re, const float* im, int32_t* count, int64_t W, int64_t H) {
#pragma omp parallel for
  for (int64_t h = 0; h < H; ++h) {
    for (int64_t w = 0; w < W; ++w) {
      float x = 0, y = 0;
      int32_t steps = 0;
      while (steps < 100) {
        float next = x * x - y * y + re[w];
        y = 2 * x * y + im[h];
        x = next;
        ++steps;
        if (x * x + y * y > 4) break;
      }
      count[h * W + w] = steps;
    }
  }
}
