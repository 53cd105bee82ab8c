// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void wave_equation_step(float* u_prev, const float* u, const float* k, int64_t H, int64_t W) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 1; i < H - 1; ++i)
#pragma omp simd
    for (int64_t at = i * W + 1; at < (i + 1) * W - 1; ++at) {
      const float laplacian = (u[at - W] + u[at + W]) + (u[at - 1] + u[at + 1]) - 4 * u[at];
      u_prev[at] = 2 * u[at] - u_prev[at] + k[at] * laplacian;
    }
}
