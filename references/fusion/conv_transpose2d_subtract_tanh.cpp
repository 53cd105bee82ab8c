// SPDX-License-Identifier: Apache-2.0
// The transposed convolution as a product of matrices first, then its images one by one.
#include "blocks/vector_math.h"

#include "blocks/convolution.h"

#include "kernel.h"

extern "C" void conv_transpose2d_subtract_tanh(const float* x, const float* w, const float* b, const float* v, float* y, int64_t N, int64_t C,
                                               int64_t H, int64_t W, int64_t O, int64_t OH, int64_t OW) {
  const int64_t size = OH * OW;
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .height = {OH, 4, H, 2, 1}, .width = {OW, 4, W, 2, 1}}, x, w, b, y);
#pragma omp parallel for schedule(static)
  for (int64_t plane = 0; plane < N * O; ++plane) {
    const float own = v[plane % O];
    float* z = y + plane * size;
    for (int64_t i = 0; i < size; ++i) z[i] = blocks::tanh(z[i] - own);
  }
}
