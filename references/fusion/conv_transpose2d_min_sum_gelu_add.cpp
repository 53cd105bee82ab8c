// SPDX-License-Identifier: Apache-2.0
// The transposed convolution as a product of matrices first, then its images one by one.
#include "blocks/vector_math.h"

#include "blocks/convolution.h"

#include <algorithm>
#include <vector>

#include "kernel.h"

namespace {

float gelu(float z) { return 0.5f * z * (1 + blocks::erf(z * 0.70710678f)); }

}  // namespace

extern "C" void conv_transpose2d_min_sum_gelu_add(const float* x, const float* w, const float* b, const float* v, float* y, int64_t N,
                                                  int64_t C, int64_t H, int64_t W, int64_t O) {
  const int64_t OH = 2 * H, OW = 2 * W, size = OH * OW;
  std::vector<float> z(N * O * size);
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .height = {OH, 3, H, 2, 1}, .width = {OW, 3, W, 2, 1}}, x, w, b, z.data());
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    float* least = &z[n * O * size];
    for (int64_t o = 1; o < O; ++o)
      for (int64_t i = 0; i < size; ++i) least[i] = std::min(least[i], least[o * size + i]);
    std::vector<double> sums(OW);
    for (int64_t h = 0; h < OH; ++h)
      for (int64_t i = 0; i < OW; ++i) sums[i] += least[h * OW + i];
    for (int64_t i = 0; i < OW; ++i) y[n * OW + i] = gelu(static_cast<float>(sums[i])) + v[0];
  }
}
