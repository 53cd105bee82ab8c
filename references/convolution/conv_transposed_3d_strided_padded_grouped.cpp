// SPDX-License-Identifier: Apache-2.0
// The transpose of a convolution, as products of matrices: blocks/convolution.h.
#include "blocks/convolution.h"

#include "kernel.h"

extern "C" void conv_transposed_3d_strided_padded_grouped(const float* x, const float* w, float* y, int64_t N, int64_t D, int64_t H,
                                                          int64_t W, int64_t OD, int64_t OH, int64_t OW) {
  const blocks::Axis depth{.in = OD, .taps = 3, .out = D, .stride = 2, .pad = 1},
      height{.in = OH, .taps = 5, .out = H, .stride = 2, .pad = 2}, width{.in = OW, .taps = 7, .out = W, .stride = 2, .pad = 3};
  blocks::convolve_transposed({.N = N, .C = 16, .O = 16, .groups = 4, .depth = depth, .height = height, .width = width}, x, w, nullptr, y);
}
