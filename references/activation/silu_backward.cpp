// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include "kernel.h"

extern "C" void silu_backward(const float* x, const float* dy, float* dx, int64_t N, int64_t C) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    const float s = 1 / (1 + blocks::exp(-x[i]));
    dx[i] = dy[i] * (s * (1 + x[i] * (1 - s)));
  }
}
