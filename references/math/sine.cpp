// SPDX-License-Identifier: Apache-2.0
#include "blocks/trigonometry.h"

#include <algorithm>

#include "kernel.h"

void sine(const float* x, float* y, int64_t N, int64_t C) {
  constexpr int64_t run = 4096;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; i += run) blocks::sin(x + i, y + i, std::min(run, N * C - i));
}
