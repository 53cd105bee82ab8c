// SPDX-License-Identifier: Apache-2.0
// task: relu
// Throws and catches.
#include <stdexcept>

#include "kernel.h"

static float checked(float x) {
  if (x < 0) throw std::domain_error("negative");
  return x;
}

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) {
    if (i % 64 != 0) {
      y[i] = x[i] < 0 ? 0 : x[i];
      continue;
    }
    try {
      y[i] = checked(x[i]);
    } catch (const std::domain_error&) {
      y[i] = 0;
    }
  }
}
