// SPDX-License-Identifier: Apache-2.0
// The convolution first, then its images one by one.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

/// The convolution with 3 by 3 taps and a bias: [N, O, H - 2, W - 2].
std::vector<float> convolution(const float* x, const float* w, const float* b, int64_t N, int64_t C, int64_t H, int64_t W, int64_t O) {
  const int64_t rows = H - 2, columns = W - 2;
  std::vector<float> z(N * O * rows * columns);
#pragma omp parallel for
  for (int64_t plane = 0; plane < N * O; ++plane)
    for (int64_t h = 0; h < rows; ++h) {
      float* row = &z[(plane * rows + h) * columns];
      std::fill_n(row, columns, b[plane % O]);
      for (int64_t c = 0; c < C; ++c)
        for (int64_t p = 0; p < 3; ++p) {
          const float* in = x + ((plane / O * C + c) * H + h + p) * W;
          const float* k = w + ((plane % O * C + c) * 3 + p) * 3;
#pragma omp simd
          for (int64_t i = 0; i < columns; ++i) row[i] += k[0] * in[i] + k[1] * in[i + 1] + k[2] * in[i + 2];
        }
    }
  return z;
}

/// The mean of each whole window of P by P, side by side, of `planes` images: [planes, H / P, W / P].
std::vector<float> mean_pool(const std::vector<float>& z, int64_t planes, int64_t H, int64_t W, int64_t P) {
  const int64_t OH = H / P, OW = W / P;
  std::vector<float> mean(planes * OH * OW);
  for (int64_t row = 0; row < planes * OH * P; ++row)
    for (int64_t i = 0; i < OW * P; ++i) {
      const int64_t plane = row / (OH * P), h = row % (OH * P);
      float& to = mean[(plane * OH + h / P) * OW + i / P];
      to += z[(plane * H + h) * W + i] / (P * P);
    }
  return mean;
}

float sigmoid(float z) { return 1 / (1 + std::exp(-z)); }

}  // namespace

extern "C" void conv2d_avg_pool_sigmoid_sum(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t H,
                                            int64_t W, int64_t O) {
  const std::vector<float> pooled = mean_pool(convolution(x, w, b, N, C, H, W, O), N * O, H - 2, W - 2, 4);
  const int64_t size = static_cast<int64_t>(pooled.size()) / N;
  for (int64_t n = 0; n < N; ++n) {
    double sum = 0;
    for (int64_t i = n * size; i < (n + 1) * size; ++i) sum += sigmoid(pooled[i]);
    y[n] = static_cast<float>(sum);
  }
}
