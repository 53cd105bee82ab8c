// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include "kernel.h"

void top_ten_of_rows(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) std::partial_sort_copy(x + n * C, x + (n + 1) * C, y + n * 10, y + (n + 1) * 10, std::greater<float>());
}
