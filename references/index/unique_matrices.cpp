// SPDX-License-Identifier: Apache-2.0
// The order of the matrices, then one pass along it.
#include <algorithm>
#include <numeric>
#include <vector>

#include "kernel.h"

void unique_matrices(const float* x, float* y, int64_t* distinct, int64_t* place, int64_t N, int64_t A, int64_t C) {
  const int64_t size = A * C;
  std::vector<int64_t> order(N);
  std::iota(order.begin(), order.end(), int64_t{0});
  std::sort(order.begin(), order.end(), [=](int64_t i, int64_t j) {
    return std::lexicographical_compare(x + i * size, x + (i + 1) * size, x + j * size, x + (j + 1) * size);
  });
  int64_t found = 0;
  for (int64_t n = 0; n < N; ++n) {
    const float* matrix = x + order[n] * size;
    if (n == 0 || !std::equal(matrix, matrix + size, y + (found - 1) * size)) std::copy_n(matrix, size, y + found++ * size);
    place[order[n]] = found - 1;
  }
  std::fill(y + found * size, y + N * size, 0.0f);
  *distinct = found;
}
