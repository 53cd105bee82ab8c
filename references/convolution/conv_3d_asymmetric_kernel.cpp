// SPDX-License-Identifier: Apache-2.0
// A product: the weights times the matrix whose columns are what the output positions see.
#include "blocks/convolution.h"

#include "kernel.h"

extern "C" void conv_3d_asymmetric_kernel(const float* x, const float* w, float* y, int64_t N, int64_t C, int64_t D, int64_t H, int64_t W,
                                          int64_t O, int64_t OD, int64_t OH, int64_t OW) {
  const blocks::Axis depth{.in = D, .taps = 3, .out = OD}, height{.in = H, .taps = 5, .out = OH}, width{.in = W, .taps = 7, .out = OW};
  blocks::convolve({.N = N, .C = C, .O = O, .depth = depth, .height = height, .width = width}, x, w, nullptr, y);
}
