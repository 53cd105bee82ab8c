// SPDX-License-Identifier: Apache-2.0
// A product: the weights times the matrix whose columns are what the output positions see.
#include "blocks/convolution.h"

#include "kernel.h"

extern "C" void conv_2d_stride_2_padded(const float* x, const float* w, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t O,
                                        int64_t OH, int64_t OW) {
  const blocks::Axis height{.in = H, .taps = 3, .out = OH, .stride = 2, .pad = 1},
      width{.in = W, .taps = 3, .out = OW, .stride = 2, .pad = 1};
  blocks::convolve({.N = N, .C = C, .O = O, .height = height, .width = width}, x, w, nullptr, y);
}
