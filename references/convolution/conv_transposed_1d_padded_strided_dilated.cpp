// SPDX-License-Identifier: Apache-2.0
// The transpose of a convolution, as products of matrices: blocks/convolution.h.
#include "blocks/convolution.h"

#include "kernel.h"

extern "C" void conv_transposed_1d_padded_strided_dilated(const float* x, const float* w, float* y, int64_t N, int64_t C, int64_t L,
                                                          int64_t O, int64_t OL) {
  const blocks::Axis width{.in = OL, .taps = 3, .out = L, .stride = 2, .pad = 1, .dilation = 2};
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .width = width}, x, w, nullptr, y);
}
