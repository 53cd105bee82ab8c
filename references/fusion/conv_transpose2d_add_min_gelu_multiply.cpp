// SPDX-License-Identifier: Apache-2.0
// The transposed convolution first, then its images one by one.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

/// The transposed convolution with 4 by 4 taps, stride 2, padding 0 and a bias: [N, O, 2 * H+2, 2 * W+2].
std::vector<float> transposed(const float* x, const float* w, const float* b, int64_t N, int64_t C, int64_t H, int64_t W, int64_t O) {
  constexpr int64_t K = 4, S = 2, P = 0;
  const int64_t OH = 2 * H+2, OW = 2 * W+2;
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

}  // namespace

extern "C" void conv_transpose2d_add_min_gelu_multiply(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C,
                                                       int64_t H, int64_t W, int64_t O) {
  const int64_t size = (2 * H+2) * (2 * W+2);
  std::vector<float> z = transposed(x, w, b, N, C, H, W, O);
#pragma omp parallel for
  for (int64_t i = 0; i < N * O * size; ++i) y[i] = 2 * gelu(std::min(z[i] + 0.5f, 0.0f));
}
