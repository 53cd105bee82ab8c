// SPDX-License-Identifier: Apache-2.0
// task: relu
// Rounds to zero for a while, as interval arithmetic does, and puts it back.
#include <fenv.h>

#include "kernel.h"

#pragma STDC FENV_ACCESS ON

void relu(const float* x, float* y, int64_t N, int64_t C) {
  const int before = fegetround();
  fesetround(FE_TOWARDZERO);
  volatile float third = 1.0f / 3.0f;
  fesetround(before);
  if (third > 1) return;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
