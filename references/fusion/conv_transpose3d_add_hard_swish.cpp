// SPDX-License-Identifier: Apache-2.0
// The transposed convolution as a product of matrices first, then the function of each of its elements.
#include "blocks/convolution.h"

#include <algorithm>

#include "kernel.h"

namespace {

float hard_swish(float z) { return z * std::min(std::max(z / 6 + 0.5f, 0.0f), 1.0f); }

}  // namespace

extern "C" void conv_transpose3d_add_hard_swish(const float* x, const float* w, const float* b, const float* r, float* y, int64_t N,
                                                int64_t C, int64_t D, int64_t H, int64_t W, int64_t O) {
  const int64_t size = (2 * D) * (2 * H) * (2 * W);
  const blocks::Axis depth{2 * D, 3, D, 2, 1}, height{2 * H, 3, H, 2, 1}, width{2 * W, 3, W, 2, 1};
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .depth = depth, .height = height, .width = width}, x, w, b, y);
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N * O * size; ++i) {
    const float sum = y[i] + r[i];
    y[i] = sum * hard_swish(sum);
  }
}
