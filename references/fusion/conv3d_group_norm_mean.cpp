// SPDX-License-Identifier: Apache-2.0
// The convolution as a product of matrices first, then its volumes one by one.
#include "blocks/convolution.h"
#include "blocks/normalize.h"

#include <cmath>
#include <numeric>
#include <vector>

#include "kernel.h"

extern "C" void conv3d_group_norm_mean(const float* x, const float* w, const float* b, const float* scale, const float* bias, float* y,
                                       int64_t N, int64_t C, int64_t D, int64_t H, int64_t W, int64_t O) {
  const int64_t size = (D - 2) * (H - 2) * (W - 2), channels = O / 8;
  std::vector<float> z(N * O * size);
  std::vector<double> sums(N * 8);
  blocks::convolve({.N = N, .C = C, .O = O, .depth = {D, 3, D - 2}, .height = {H, 3, H - 2}, .width = {W, 3, W - 2}}, x, w, b, z.data());
#pragma omp parallel for schedule(static)
  for (int64_t group = 0; group < N * 8; ++group) {
    blocks::normalize(&z[group * channels * size], channels * size);
    double sum = 0;
    for (int64_t plane = group * channels; plane < (group + 1) * channels; ++plane) {
      const float factor = scale[plane % O], shift = bias[plane % O];
#pragma omp simd reduction(+ : sum)
      for (int64_t i = plane * size; i < (plane + 1) * size; ++i) sum += z[i] * factor + shift;
    }
    sums[group] = sum;
  }
  for (int64_t n = 0; n < N; ++n) y[n] = static_cast<float>(std::accumulate(&sums[n * 8], &sums[n * 8] + 8, 0.0) / (O * size));
}
