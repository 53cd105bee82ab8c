// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"
#include "twice.h"

extern "C" void scale_by_two(const float* x, float* y, int64_t N) {
  for (int64_t i = 0; i < N; ++i) y[i] = twice(x[i]);
}
