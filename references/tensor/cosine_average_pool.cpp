// SPDX-License-Identifier: Apache-2.0
#include "blocks/trigonometry.h"

#include <algorithm>

#include "kernel.h"

void cosine_average_pool(const float* x, float* y, int64_t N, int64_t C, int64_t L) {
  constexpr int64_t run = 256;
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < N * C * L; first += run) {
    const int64_t count = std::min(run, N * C * L - first);
    float cosines[3 * run];
    blocks::cos(x + 3 * first, cosines, 3 * count);
    for (int64_t i = 0; i < count; ++i) y[first + i] = (cosines[3 * i] + cosines[3 * i + 1] + cosines[3 * i + 2]) / 3;
  }
}
