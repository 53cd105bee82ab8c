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

/// The largest of each whole window of P by P by P, side by side, of `planes` volumes: [planes, D / P, H / P, W / P].
std::vector<float> max_pool(const std::vector<float>& z, int64_t planes, int64_t D, int64_t H, int64_t W, int64_t P) {
  const int64_t OD = D / P, OH = H / P, OW = W / P;
  std::vector<float> most(planes * OD * OH * OW, -INFINITY);
  for (int64_t plane = 0; plane < planes; ++plane)
    for (int64_t d = 0; d < OD * P; ++d)
      for (int64_t h = 0; h < OH * P; ++h)
        for (int64_t i = 0; i < OW * P; ++i) {
          float& to = most[((plane * OD + d / P) * OH + h / P) * OW + i / P];
          to = std::max(to, z[((plane * D + d) * H + h) * W + i]);
        }
  return most;
}

float mean_of(const float* z, int64_t size) {
  double sum = 0;
  for (int64_t i = 0; i < size; ++i) sum += z[i];
  return static_cast<float>(sum / size);
}

}  // namespace

extern "C" void conv_transpose3d_multiply_max_global_avg_pool_clamp(const float* x, const float* w, const float* b, float* y, int64_t N,
                                                                    int64_t C, int64_t D, int64_t H, int64_t W, int64_t O) {
  const std::vector<float> most = max_pool(transposed(x, w, b, N, C, D, H, W, O), N * O, 2 * D-1, 2 * H-1, 2 * W-1, 2);
  const int64_t size = static_cast<int64_t>(most.size()) / (N * O);
  for (int64_t i = 0; i < N * O; ++i) y[i] = std::clamp(mean_of(&most[i * size], size) / 2, 0.0f, 1.0f);
}
