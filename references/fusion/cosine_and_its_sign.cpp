// SPDX-License-Identifier: Apache-2.0
#include "blocks/trigonometry.h"

#include <algorithm>

#include "kernel.h"

void cosine_and_its_sign(const float* x, float* y, bool* negative, int64_t N, int64_t C) {
  constexpr int64_t run = 4096;
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < N * C; first += run) {
    const int64_t end = std::min(first + run, N * C);
    blocks::cos(x + first, y + first, end - first);
    for (int64_t i = first; i < end; ++i) negative[i] = y[i] < 0;
  }
}
