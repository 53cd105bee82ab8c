// SPDX-License-Identifier: Apache-2.0
// The transpose of a convolution, as products of matrices: blocks/convolution.h.
#include "blocks/convolution.h"

#include "kernel.h"

extern "C" void conv_transposed_2d_wide_kernel_padded(const float* x, const float* w, float* y, int64_t N, int64_t C, int64_t H, int64_t W,
                                                      int64_t O, int64_t OH, int64_t OW) {
  const blocks::Axis height{.in = OH, .taps = 3, .out = H, .pad = 1}, width{.in = OW, .taps = 7, .out = W, .pad = 3};
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .height = height, .width = width}, x, w, nullptr, y);
}
