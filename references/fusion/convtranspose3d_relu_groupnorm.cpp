// SPDX-License-Identifier: Apache-2.0
// The transposed convolution first, then its volumes one by one.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

/// The transposed convolution with 3 by 3 by 3 taps, stride 1, padding 0: [N, O, D + 2, H + 2, W + 2].
std::vector<float> transposed(const float* x, const float* w, int64_t N, int64_t C, int64_t D, int64_t H, int64_t W, int64_t O) {
  constexpr int64_t K = 3, S = 1, P = 0;
  const int64_t OD = D + 2, OH = H + 2, OW = W + 2;
  std::vector<float> z(N * O * OD * OH * OW);
#pragma omp parallel for
  for (int64_t plane = 0; plane < N * O; ++plane) {
    float* out = &z[plane * OD * OH * OW];
    std::fill_n(out, OD * OH * OW, 0.0f);
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

extern "C" void convtranspose3d_relu_groupnorm(const float* x, const float* w, const float* scale, const float* bias, float* y, int64_t N,
                                               int64_t C, int64_t D, int64_t H, int64_t W, int64_t O) {
  const int64_t size = (D + 2) * (H + 2) * (W + 2);
  std::vector<float> z = transposed(x, w, N, C, D, H, W, O);
  for (float& each : z) each = std::max(each, 0.0f);
#pragma omp parallel for
  for (int64_t group = 0; group < N * 8; ++group) normalize(&z[group * O / 8 * size], O / 8 * size);
  for (int64_t i = 0; i < N * O; ++i)
    for (int64_t j = i * size; j < (i + 1) * size; ++j) y[j] = z[j] * scale[i % O] + bias[i % O];
}
