// SPDX-License-Identifier: Apache-2.0
// The transpose of a convolution, as products of matrices: blocks/convolution.h.
#include "blocks/convolution.h"

#include "kernel.h"

extern "C" void conv_transposed_2d_bias(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t H,
                                        int64_t W, int64_t O) {
  const blocks::Axis height{.in = H + 2, .taps = 3, .out = H}, width{.in = W + 2, .taps = 3, .out = W};
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .height = height, .width = width}, x, w, b, y);
}
