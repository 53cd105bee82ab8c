// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void wave_equation_step(float* u_prev, const float* u, const float* k, int64_t H, int64_t W) {
#pragma omp parallel for
  for (int64_t h = 1; h < H - 1; ++h) {
    for (int64_t w = 1; w < W - 1; ++w) {
      int64_t i = h * W + w;
      float around = u[i - W] + u[i + W] + u[i - 1] + u[i + 1];
      u_prev[i] = 2 * u[i] - u_prev[i] + k[i] * (around - 4 * u[i]);
    }
  }
}
