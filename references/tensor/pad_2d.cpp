// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

extern "C" void pad_2d(const float* x, const float* value, float* y, int64_t N, int64_t H, int64_t W, int64_t T, int64_t B, int64_t L,
                       int64_t R) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    const float* from = x + n * H * W;
    float* to = y + n * (T + H + B) * (L + W + R);
    to = std::fill_n(to, T * (L + W + R), *value);
    for (int64_t h = 0; h < H; ++h) {
      to = std::fill_n(to, L, *value);
      to = std::copy_n(from + h * W, W, to);
      to = std::fill_n(to, R, *value);
    }
    std::fill_n(to, B * (L + W + R), *value);
  }
}
