// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void hard_sigmoid_backward(const float* dy, const float* x, float* dx, int64_t N, int64_t C) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N * C; ++i) dx[i] = (x[i] > -3.0f) & (x[i] < 3.0f) ? dy[i] * (1.0f / 6.0f) : 0.0f;
}
