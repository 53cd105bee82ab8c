// SPDX-License-Identifier: Apache-2.0
// The matrices as rows of one table, the order of its rows, then one pass along it.
#include <algorithm>
#include <numeric>
#include <vector>

#include "kernel.h"

void unique_middle_slices_counted(const float* x, float* y, int64_t* distinct, int64_t* place, int64_t* count, int64_t A, int64_t N,
                                  int64_t C) {
  const int64_t size = A * C;
  std::vector<float> table(N * size);
  for (int64_t a = 0; a < A; ++a)
    for (int64_t n = 0; n < N; ++n) std::copy_n(x + (a * N + n) * C, C, &table[n * size + a * C]);
  const auto row = [&](int64_t n) { return table.data() + n * size; };
  std::vector<int64_t> order(N);
  std::iota(order.begin(), order.end(), int64_t{0});
  std::sort(order.begin(), order.end(),
            [&](int64_t i, int64_t j) { return std::lexicographical_compare(row(i), row(i) + size, row(j), row(j) + size); });
  std::fill_n(count, N, int64_t{0});
  std::fill_n(y, A * N * C, 0.0f);
  int64_t found = 0;
  for (int64_t n = 0; n < N; ++n) {
    const float* matrix = row(order[n]);
    if (n == 0 || !std::equal(matrix, matrix + size, row(order[n - 1]))) {
      for (int64_t a = 0; a < A; ++a) std::copy_n(matrix + a * C, C, y + (a * N + found) * C);
      ++found;
    }
    place[order[n]] = found - 1;
    ++count[found - 1];
  }
  *distinct = found;
}
