// SPDX-License-Identifier: Apache-2.0
// The transposed convolution as a product of matrices first, then its volumes one by one.
#include "blocks/convolution.h"

#include "kernel.h"

extern "C" void conv_transpose3d_sum_residual_add_multiply_residual_add(const float* x, const float* w, const float* b, const float* v, float* y,
                                                                        int64_t N, int64_t C, int64_t D, int64_t H, int64_t W, int64_t O,
                                                                        int64_t OD, int64_t OH, int64_t OW) {
  const int64_t size = OD * OH * OW;
  const blocks::Axis depth{OD, 3, D, 2, 1}, height{OH, 3, H, 2, 1}, width{OW, 3, W, 2, 1};
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .depth = depth, .height = height, .width = width}, x, w, b, y);
#pragma omp parallel for schedule(static)
  for (int64_t plane = 0; plane < N * O; ++plane) {
    const float own = v[plane % O];
    float* z = y + plane * size;
    for (int64_t i = 0; i < size; ++i) z[i] = (z[i] + own + z[i]) * z[i] + z[i];
  }
}
