// SPDX-License-Identifier: Apache-2.0
// The transposed convolution first, then its images one by one.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

/// The transposed convolution with 3 by 3 taps, stride 1, padding 0 and a bias: [N, O, H + 2, W + 2].
std::vector<float> transposed(const float* x, const float* w, const float* b, int64_t N, int64_t C, int64_t H, int64_t W, int64_t O) {
  constexpr int64_t K = 3, S = 1, P = 0;
  const int64_t OH = H + 2, OW = W + 2;
  std::vector<float> z(N * O * OH * OW);
#pragma omp parallel for
  for (int64_t plane = 0; plane < N * O; ++plane) {
    float* out = &z[plane * OH * OW];
    std::fill_n(out, OH * OW, b[plane % O]);
    for (int64_t row = 0; row < C * H; ++row)
      for (int64_t tap = 0; tap < K * K; ++tap) {
        const int64_t c = row / H, h = S * (row % H) + tap / K - P, q = tap % K;
        if (h < 0 || h >= OH) continue;
        const float weight = w[(c * O + plane % O) * K * K + tap];
        const float* in = x + (plane / O * C * H + row) * W;
        const int64_t begin = q < P ? (P - q + S - 1) / S : 0, end = std::min(W, (OW - 1 + P - q + S) / S);
        for (int64_t i = begin; i < end; ++i) out[h * OW + S * i + q - P] += weight * in[i];
      }
  }
  return z;
}

float gelu(float z) { return 0.5f * z * (1 + std::erf(z * 0.70710678f)); }

/// Mean 0 and variance 1, but for the 1e-5 below the root.
void normalize(float* z, int64_t size) {
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < size; ++i) sum += z[i];
  const double mean = sum / size;
  for (int64_t i = 0; i < size; ++i) squares += (z[i] - mean) * (z[i] - mean);
  const double factor = 1 / std::sqrt(squares / size + 1e-5);
  for (int64_t i = 0; i < size; ++i) z[i] = static_cast<float>((z[i] - mean) * factor);
}

}  // namespace

extern "C" void conv_transpose2d_gelu_group_norm(const float* x, const float* w, const float* b, const float* scale, const float* bias,
                                                 float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t O) {
  const int64_t size = (H + 2) * (W + 2);
  std::vector<float> z = transposed(x, w, b, N, C, H, W, O);
#pragma omp parallel for
  for (int64_t i = 0; i < N * O * size; ++i) z[i] = gelu(z[i]);
#pragma omp parallel for
  for (int64_t group = 0; group < N * 8; ++group) normalize(&z[group * O / 8 * size], O / 8 * size);
#pragma omp parallel for
  for (int64_t i = 0; i < N * O; ++i)
    for (int64_t j = i * size; j < (i + 1) * size; ++j) y[j] = z[j] * scale[i % O] + bias[i % O];
}
