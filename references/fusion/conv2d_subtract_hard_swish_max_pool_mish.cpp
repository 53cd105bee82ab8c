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

/// The largest of each whole window of P by P, side by side, of `planes` images: [planes, H / P, W / P].
std::vector<float> max_pool(const std::vector<float>& z, int64_t planes, int64_t H, int64_t W, int64_t P) {
  const int64_t OH = H / P, OW = W / P;
  std::vector<float> most(planes * OH * OW, -INFINITY);
  for (int64_t row = 0; row < planes * OH * P; ++row)
    for (int64_t i = 0; i < OW * P; ++i) {
      const int64_t plane = row / (OH * P), h = row % (OH * P);
      float& to = most[(plane * OH + h / P) * OW + i / P];
      to = std::max(to, z[(plane * H + h) * W + i]);
    }
  return most;
}

float hard_swish(float z) { return z * std::clamp(z / 6 + 0.5f, 0.0f, 1.0f); }

float mish(float z) { return z * std::tanh(std::max(z, 0.0f) + std::log1p(std::exp(-std::fabs(z)))); }

}  // namespace

extern "C" void conv2d_subtract_hard_swish_max_pool_mish(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C,
                                                         int64_t H, int64_t W, int64_t O) {
  std::vector<float> z = convolution(x, w, b, N, C, H, W, O);
  for (float& each : z) each = hard_swish(each - 0.5f);
  const std::vector<float> most = max_pool(z, N * O, H - 2, W - 2, 2);
  for (std::size_t i = 0; i < most.size(); ++i) y[i] = mish(most[i]);
}
