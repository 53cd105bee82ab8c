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

/// Mean 0 and variance 1, but for the 1e-5 below the root.
void normalize(float* z, int64_t size) {
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < size; ++i) sum += z[i];
  const double mean = sum / size;
  for (int64_t i = 0; i < size; ++i) squares += (z[i] - mean) * (z[i] - mean);
  const double factor = 1 / std::sqrt(squares / size + 1e-5);
  for (int64_t i = 0; i < size; ++i) z[i] = static_cast<float>((z[i] - mean) * factor);
}

float hard_swish(float z) { return z * std::clamp(z / 6 + 0.5f, 0.0f, 1.0f); }

/// The logarithm of the sum of the exponentials of O numbers that are `stride` apart.
float log_sum_exp(const float* z, int64_t O, int64_t stride) {
  float top = z[0];
  for (int64_t o = 1; o < O; ++o) top = std::max(top, z[o * stride]);
  double sum = 0;
  for (int64_t o = 0; o < O; ++o) sum += std::exp(z[o * stride] - top);
  return top + static_cast<float>(std::log(sum));
}

}  // namespace

extern "C" void conv2d_group_norm_tanh_hard_swish_residual_add_log_sum_exp(const float* x, const float* w, const float* b,
                                                                           const float* scale, const float* bias, float* y, int64_t N,
                                                                           int64_t C, int64_t H, int64_t W, int64_t O) {
  const int64_t size = (H - 2) * (W - 2);
  std::vector<float> z = convolution(x, w, b, N, C, H, W, O);
  std::vector<float> normal = z;
#pragma omp parallel for
  for (int64_t group = 0; group < N * 16; ++group) normalize(&normal[group * O / 16 * size], O / 16 * size);
#pragma omp parallel for
  for (int64_t i = 0; i < N * O; ++i)
    for (int64_t j = i * size; j < (i + 1) * size; ++j) z[j] += hard_swish(std::tanh(normal[j] * scale[i % O] + bias[i % O]));
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n)
    for (int64_t i = 0; i < size; ++i) y[n * size + i] = log_sum_exp(&z[n * O * size + i], O, size);
}
