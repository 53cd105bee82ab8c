// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

void pad_2d_int32(const int32_t* x, const int32_t* value, int32_t* y, int64_t H, int64_t W, int64_t P, int64_t Q) {
  std::fill(y, y + 2 * Q, value[0]);
#pragma omp parallel for schedule(static)
  for (int64_t h = 0; h < H; ++h) {
    int32_t* row = y + (h + 2) * Q;
    std::fill(row, row + 2, value[0]);
    std::copy(x + h * W, x + (h + 1) * W, row + 2);
    std::fill(row + 2 + W, row + Q, value[0]);
  }
  std::fill(y + (H + 2) * Q, y + P * Q, value[0]);
}
