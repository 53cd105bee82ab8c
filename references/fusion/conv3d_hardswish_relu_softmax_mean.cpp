// SPDX-License-Identifier: Apache-2.0
// The convolution first, then its groups one by one: the mean of a channel's normalised numbers is the normalised mean of the channel.
#include "blocks/convolution.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

float hard_swish(float z) { return z * std::clamp(z / 6 + 0.5f, 0.0f, 1.0f); }

}  // namespace

extern "C" void conv3d_hardswish_relu_softmax_mean(const float* x, const float* w, const float* b, const float* scale, const float* bias,
                                                   float* y, int64_t N, int64_t C, int64_t D, int64_t H, int64_t W, int64_t O) {
  const int64_t size = (D - 3) * (H - 3) * (W - 3), M = O / 4;
  std::vector<float> z(N * O * size);
  blocks::convolve({.N = N, .C = C, .O = O, .depth = {D, 4, D - 3}, .height = {H, 4, H - 3}, .width = {W, 4, W - 3}}, x, w, b, z.data());
#pragma omp parallel for
  for (int64_t group = 0; group < N * 4; ++group) {
    float* at = &z[group * M * size];
    std::vector<double> means(M);
    double mean = 0, squares = 0;
    for (int64_t m = 0; m < M; ++m) {
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t i = m * size; i < (m + 1) * size; ++i) sum += at[i] = hard_swish(at[i]);
      means[m] = sum / size;
      mean += means[m] / M;
    }
#pragma omp simd reduction(+ : squares)
    for (int64_t i = 0; i < M * size; ++i) squares += (at[i] - mean) * (at[i] - mean);
    const double factor = 1 / std::sqrt(squares / (M * size) + 1e-5);
    for (int64_t m = 0; m < M; ++m) {
      const int64_t i = group * M + m;
      y[i] = static_cast<float>((means[m] - mean) * factor) * scale[i % O] + bias[i % O];
    }
  }
}
