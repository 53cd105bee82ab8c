// SPDX-License-Identifier: Apache-2.0
// The transposed convolution first, then its volumes one by one.
#include <algorithm>
#include <vector>

#include "kernel.h"

namespace {

/// The transposed convolution with 3 by 3 by 3 taps, stride 2, padding 1, output padding 1 and a bias: [N, O, 2 * D, 2 * H, 2 * W].
std::vector<float> transposed(const float* x, const float* w, const float* b, int64_t N, int64_t C, int64_t D, int64_t H, int64_t W, int64_t O) {
  constexpr int64_t K = 3, S = 2, P = 1;
  const int64_t OD = 2 * D, OH = 2 * H, OW = 2 * W;
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

float hard_swish(float z) { return z * std::clamp(z / 6 + 0.5f, 0.0f, 1.0f); }

}  // namespace

extern "C" void conv_transpose3d_add_hard_swish(const float* x, const float* w, const float* b, const float* r, float* y, int64_t N,
                                                int64_t C, int64_t D, int64_t H, int64_t W, int64_t O) {
  const int64_t size = (2 * D) * (2 * H) * (2 * W);
  std::vector<float> z = transposed(x, w, b, N, C, D, H, W, O);
#pragma omp parallel for
  for (int64_t i = 0; i < N * O * size; ++i) {
    const float sum = z[i] + r[i];
    y[i] = sum * hard_swish(sum);
  }
}
