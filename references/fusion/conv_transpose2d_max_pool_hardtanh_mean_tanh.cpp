// SPDX-License-Identifier: Apache-2.0
// The transposed convolution first, then its images one by one.
#include "blocks/vector_math.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

/// The transposed convolution with 3 by 3 taps, stride 1, padding 1 and a bias: [N, O, H, W].
std::vector<float> transposed(const float* x, const float* w, const float* b, int64_t N, int64_t C, int64_t H, int64_t W, int64_t O) {
  constexpr int64_t K = 3, S = 1, P = 1;
  const int64_t OH = H, OW = W;
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

float mean_of(const float* z, int64_t size) {
  double sum = 0;
  for (int64_t i = 0; i < size; ++i) sum += z[i];
  return static_cast<float>(sum / size);
}

}  // namespace

extern "C" void conv_transpose2d_max_pool_hardtanh_mean_tanh(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C,
                                                             int64_t H, int64_t W, int64_t O) {
  std::vector<float> most = max_pool(transposed(x, w, b, N, C, H, W, O), N * O, H, W, 2);
  for (float& each : most) each = std::clamp(each, -1.0f, 1.0f);
  const int64_t size = (H / 2) * (W / 2);
  for (int64_t i = 0; i < N * O; ++i) y[i] = blocks::tanh(mean_of(&most[i * size], size));
}
