// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernel.h"

void min_of_erf_product(const float* x, float* y, int64_t N, int64_t C) {
  float least = std::numeric_limits<float>::infinity();
#pragma omp parallel for schedule(static) reduction(min : least)
  for (int64_t i = 0; i < N * C; ++i) least = std::min(least, 0.5f * x[i] * std::erf(x[i] / 1.4142135f));
  *y = least;
}
