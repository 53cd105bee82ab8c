// SPDX-License-Identifier: Apache-2.0
// std::sort of each row's places.
#include <algorithm>
#include <numeric>

#include "kernel.h"

void argsort_unstable(const float* x, int64_t* index, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < N; ++r) {
    int64_t* row = index + r * C;
    std::iota(row, row + C, int64_t{0});
    std::sort(row, row + C, [values = x + r * C](int64_t i, int64_t j) { return values[i] < values[j]; });
  }
}
