// SPDX-License-Identifier: Apache-2.0
// The transpose of the convolution, as products of matrices: blocks/convolution.h.
#include "blocks/convolution.h"

#include "kernel.h"

extern "C" void conv_2d_backward_input(const float* dy, const float* w, float* dx, int64_t N, int64_t O, int64_t H, int64_t W, int64_t C) {
  const blocks::Axis height{.in = H, .taps = 3, .out = H, .pad = 1}, width{.in = W, .taps = 3, .out = W, .pad = 1};
  blocks::convolve_transposed({.N = N, .C = O, .O = C, .height = height, .width = width}, dy, w, nullptr, dx);
}
