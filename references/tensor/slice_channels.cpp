// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

void slice_channels(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W) {
  const int64_t size = 3 * H * W;
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) std::copy_n(x + (n * C + 3) * H * W, size, y + n * size);
}
