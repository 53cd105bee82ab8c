// SPDX-License-Identifier: Apache-2.0
// A product: the weights times the matrix whose columns are what the output positions see.
#include "blocks/convolution.h"

#include "kernel.h"

extern "C" void conv_1d_padded_bias(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t L, int64_t O) {
  blocks::convolve({.N = N, .C = C, .O = O, .width = {.in = L, .taps = 3, .out = L, .pad = 1}}, x, w, b, y);
}
