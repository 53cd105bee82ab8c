// SPDX-License-Identifier: Apache-2.0
// The transposed convolution first, then the rest in place.
#include "blocks/convolution.h"

#include <algorithm>

#include "kernel.h"

extern "C" void conv_transpose3d_clamp_min_divide(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t D,
                                                  int64_t H, int64_t W, int64_t O, int64_t OD, int64_t OH, int64_t OW) {
  const blocks::Axis depth{OD, 3, D, 2, 1}, height{OH, 3, H, 2, 1}, width{OW, 3, W, 2, 1};
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .depth = depth, .height = height, .width = width}, x, w, b, y);
#pragma omp parallel for
  for (int64_t i = 0; i < N * O * OD * OH * OW; ++i) y[i] = std::max(y[i], -1.0f) * 0.5f;
}
