// SPDX-License-Identifier: Apache-2.0
// The transposed convolution as a product of matrices first, then its volumes one by one.
// Less its own mean, a volume of a channel is divided by the root of the variance of all of them; their common mean cancels.
#include "blocks/convolution.h"

#include <cmath>
#include <numeric>
#include <vector>

#include "kernel.h"

extern "C" void conv_transpose3d_batch_norm_subtract(const float* x, const float* w, const float* scale, float* y, int64_t N, int64_t C,
                                                     int64_t D, int64_t H, int64_t W, int64_t O) {
  const int64_t OD = 2 * D - 1, OH = 2 * H - 1, OW = 2 * W - 1, size = OD * OH * OW;
  const blocks::Axis depth{OD, 3, D, 2, 1}, height{OH, 3, H, 2, 1}, width{OW, 3, W, 2, 1};
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .depth = depth, .height = height, .width = width}, x, w, nullptr, y);
#pragma omp parallel for schedule(static)
  for (int64_t o = 0; o < O; ++o) {
    std::vector<double> own(N);
    double squares = 0;
    for (int64_t n = 0; n < N; ++n) {
      const float* z = y + (n * O + o) * size;
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t i = 0; i < size; ++i) sum += z[i];
      own[n] = sum / size;
    }
    const double mean = std::accumulate(own.begin(), own.end(), 0.0) / N;
    for (int64_t n = 0; n < N; ++n) {
      const float* z = y + (n * O + o) * size;
#pragma omp simd reduction(+ : squares)
      for (int64_t i = 0; i < size; ++i) squares += (z[i] - mean) * (z[i] - mean);
    }
    const double factor = scale[o] / std::sqrt(squares / (N * size) + 1e-5);
    for (int64_t n = 0; n < N; ++n) {
      const double mean_of_n = own[n];
      float* z = y + (n * O + o) * size;
      for (int64_t i = 0; i < size; ++i) z[i] = static_cast<float>((z[i] - mean_of_n) * factor);
    }
  }
}
