// SPDX-License-Identifier: Apache-2.0
// The convolution as a product of matrices first, then its volumes one by one.
#include "blocks/vector_math.h"

#include "blocks/convolution.h"

#include "kernel.h"

extern "C" void conv3d_scaling_tanh_multiply_sigmoid(const float* x, const float* w, const float* b, const float* u, const float* v,
                                                     float* y, int64_t N, int64_t C, int64_t D, int64_t H, int64_t W, int64_t O) {
  const int64_t size = (D - 2) * (H - 2) * (W - 2);
  blocks::convolve({.N = N, .C = C, .O = O, .depth = {D, 3, D - 2}, .height = {H, 3, H - 2}, .width = {W, 3, W - 2}}, x, w, b, y);
#pragma omp parallel for schedule(static)
  for (int64_t plane = 0; plane < N * O; ++plane) {
    const float before = u[plane % O], after = v[plane % O];
    float* z = y + plane * size;
    for (int64_t i = 0; i < size; ++i) z[i] = blocks::sigmoid(blocks::tanh(z[i] * before) * after);
  }
}
