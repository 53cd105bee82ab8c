// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

extern "C" void pad_2d_reflect(const float* x, float* y, int64_t N, int64_t H, int64_t W, int64_t T, int64_t B, int64_t L, int64_t R) {
#pragma omp parallel for collapse(2)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t h = -T; h < H + B; ++h) {
      const float* from = x + (n * H + (h < 0 ? -h : h < H ? h : 2 * (H - 1) - h)) * W;
      float* to = y + (n * (T + H + B) + T + h) * (L + W + R);
      to = std::reverse_copy(from + 1, from + 1 + L, to);
      to = std::copy_n(from, W, to);
      std::reverse_copy(from + W - 1 - R, from + W - 1, to);
    }
}
