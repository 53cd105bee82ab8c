// SPDX-License-Identifier: Apache-2.0
// The convolution first, then its images one by one.
#include "blocks/convolution.h"

#include <algorithm>
#include <vector>

#include "kernel.h"

void conv2d_max_pool_relu(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t O,
                          int64_t PH, int64_t PW) {
  const int64_t width = W - 2, size = (H - 2) * width;
  std::vector<float> z(N * O * size);
  blocks::convolve({.N = N, .C = C, .O = O, .height = {H, 3, H - 2}, .width = {W, 3, width}}, x, w, b, z.data());
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N * O; ++n)
    for (int64_t i = 0; i < PH; ++i)
      for (int64_t j = 0; j < PW; ++j) {
        const float* at = &z[n * size + 2 * i * width + 2 * j];
        y[(n * PH + i) * PW + j] = std::max({at[0], at[1], at[width], at[width + 1], 0.0f});
      }
}
