// SPDX-License-Identifier: Apache-2.0
// Sums of 64 columns stay in registers while all elements of a row are added.
#include <algorithm>
#include <type_traits>

#include "kernel.h"

namespace {

constexpr int64_t tile = 64;

template <class Width>
void add_up(const float* values, const int32_t* columns, int64_t K, const float* b, int64_t D, float* y, Width width) {
  float sums[tile] = {};
  for (int64_t k = 0; k < K; ++k) {
    if (columns[k] < 0) continue;
    const float* row = b + columns[k] * D;
    for (int64_t d = 0; d < width; ++d) sums[d] += values[k] * row[d];
  }
  std::copy_n(sums, int64_t{width}, y);
}

}  // namespace

extern "C" void ell_matrix_matrix(const float* values, const int32_t* columns, const float* b, float* y, int64_t R, int64_t K,
                                  [[maybe_unused]] int64_t C, int64_t D) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < R; ++r) {
    int64_t d = 0;
    for (; d + tile <= D; d += tile)
      add_up(values + r * K, columns + r * K, K, b + d, D, y + r * D + d, std::integral_constant<int64_t, tile>());
    if (d < D) add_up(values + r * K, columns + r * K, K, b + d, D, y + r * D + d, D - d);
  }
}
