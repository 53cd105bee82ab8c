// SPDX-License-Identifier: Apache-2.0
// A product: the weights times the matrix whose columns are what the output positions see.
#include "blocks/convolution.h"

#include "kernel.h"

extern "C" void conv_1d_dilated_strided(const float* x, const float* w, float* y, int64_t N, int64_t C, int64_t L, int64_t O, int64_t OL) {
  const blocks::Axis width{.in = L, .taps = 3, .out = OL, .stride = 3, .dilation = 4};
  blocks::convolve({.N = N, .C = C, .O = O, .width = width}, x, w, nullptr, y);
}
