// SPDX-License-Identifier: Apache-2.0
// The order of the rows, then one pass along it.
#include <algorithm>
#include <numeric>
#include <vector>

#include "kernel.h"

void unique_rows_counted(const float* x, float* y, int64_t* distinct, int64_t* place, int64_t* count, int64_t N, int64_t C) {
  std::vector<int64_t> order(N);
  std::iota(order.begin(), order.end(), int64_t{0});
  std::sort(order.begin(), order.end(),
            [=](int64_t i, int64_t j) { return std::lexicographical_compare(x + i * C, x + (i + 1) * C, x + j * C, x + (j + 1) * C); });
  std::fill_n(count, N, int64_t{0});
  int64_t found = 0;
  for (int64_t n = 0; n < N; ++n) {
    const float* row = x + order[n] * C;
    if (n == 0 || !std::equal(row, row + C, y + (found - 1) * C)) std::copy_n(row, C, y + found++ * C);
    place[order[n]] = found - 1;
    ++count[found - 1];
  }
  std::fill(y + found * C, y + N * C, 0.0f);
  *distinct = found;
}
