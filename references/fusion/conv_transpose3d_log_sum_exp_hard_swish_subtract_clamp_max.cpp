// SPDX-License-Identifier: Apache-2.0
// The transposed convolution first, then its volumes one by one.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

/// The transposed convolution with 3 by 3 by 3 taps, stride 2, padding 1 and a bias: [N, O, 2 * D-1, 2 * H-1, 2 * W-1].
std::vector<float> transposed(const float* x, const float* w, const float* b, int64_t N, int64_t C, int64_t D, int64_t H, int64_t W, int64_t O) {
  constexpr int64_t K = 3, S = 2, P = 1;
  const int64_t OD = 2 * D-1, OH = 2 * H-1, OW = 2 * W-1;
  std::vector<float> z(N * O * OD * OH * OW);
#pragma omp parallel for
  for (int64_t plane = 0; plane < N * O; ++plane) {
    float* out = &z[plane * OD * OH * OW];
    std::fill_n(out, OD * OH * OW, b[plane % O]);
    for (int64_t row = 0; row < C * D * H; ++row)
      for (int64_t tap = 0; tap < K * K * K; ++tap) {
        const int64_t c = row / (D * H), q = tap % K;
        const int64_t d = S * (row / H % D) + tap / (K * K) - P, h = S * (row % H) + tap / K % K - P;
        if (d < 0 || d >= OD || h < 0 || h >= OH) continue;
        const float weight = w[(c * O + plane % O) * K * K * K + tap];
        const float* in = x + (plane / O * C * D * H + row) * W;
        float* to = out + (d * OH + h) * OW;
        const int64_t begin = q < P ? (P - q + S - 1) / S : 0, end = std::min(W, (OW - 1 + P - q + S) / S);
        for (int64_t i = begin; i < end; ++i) to[S * i + q - P] += weight * in[i];
      }
  }
  return z;
}

/// The logarithm of the sum of the exponentials of O numbers that are `stride` apart.
float log_sum_exp(const float* z, int64_t O, int64_t stride) {
  float top = z[0];
  for (int64_t o = 1; o < O; ++o) top = std::max(top, z[o * stride]);
  double sum = 0;
  for (int64_t o = 0; o < O; ++o) sum += std::exp(z[o * stride] - top);
  return top + static_cast<float>(std::log(sum));
}

float sigmoid(float z) { return 1 / (1 + std::exp(-z)); }

}  // namespace

extern "C" void conv_transpose3d_log_sum_exp_hard_swish_subtract_clamp_max(const float* x, const float* w, const float* b, const float* v,
                                                                           float* y, int64_t N, int64_t C, int64_t D, int64_t H, int64_t W,
                                                                           int64_t O) {
  const int64_t size = (2 * D-1) * (2 * H-1) * (2 * W-1);
  std::vector<float> z = transposed(x, w, b, N, C, D, H, W, O);
#pragma omp parallel for
  for (int64_t i = 0; i < N * size; ++i) {
    const float sum = log_sum_exp(&z[i / size * O * size + i % size], O, size);
    y[i] = std::clamp(sum * sigmoid(sum + 3) / 6 - v[0], -1.0f, 1.0f);
  }
}
