// SPDX-License-Identifier: Apache-2.0
// A block of rows at a time, the longest first: a copy of them has zeros behind the diagonal and ends at the block's last row.
#include "blocks/product.h"

#include <algorithm>
#include <vector>

#include "kernel.h"

void tril_mm_and_scale(const float* a, const float* b, float* y, int64_t M, int64_t N) {
  constexpr int64_t block = 48;
#pragma omp parallel for schedule(dynamic)
  for (int64_t end = M; end > 0; end -= block) {
    const int64_t first = std::max<int64_t>(end - block, 0);
    std::vector<float> left((end - first) * end);
    for (int64_t i = first; i < end; ++i)
      for (int64_t k = 0; k <= i; ++k) left[(i - first) * end + k] = 2 * a[i * M + k];
    blocks::product(end - first, N, end, blocks::row_major(left.data(), end), blocks::row_major(b, N), y + first * N, N);
  }
}
