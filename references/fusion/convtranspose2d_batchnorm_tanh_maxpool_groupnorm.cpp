// SPDX-License-Identifier: Apache-2.0
// The transposed convolution first, then its images one by one.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

/// The transposed convolution with 5 by 5 taps, stride 1, padding 1: [N, O, H + 2, W + 2].
std::vector<float> transposed(const float* x, const float* w, int64_t N, int64_t C, int64_t H, int64_t W, int64_t O) {
  constexpr int64_t K = 5, S = 1, P = 1;
  const int64_t OH = H + 2, OW = W + 2;
  std::vector<float> z(N * O * OH * OW);
#pragma omp parallel for
  for (int64_t plane = 0; plane < N * O; ++plane) {
    float* out = &z[plane * OH * OW];
    std::fill_n(out, OH * OW, 0.0f);
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

/// Mean 0 and variance 1, but for the 1e-5 below the root.
void normalize(float* z, int64_t size) {
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < size; ++i) sum += z[i];
  const double mean = sum / size;
  for (int64_t i = 0; i < size; ++i) squares += (z[i] - mean) * (z[i] - mean);
  const double factor = 1 / std::sqrt(squares / size + 1e-5);
  for (int64_t i = 0; i < size; ++i) z[i] = static_cast<float>((z[i] - mean) * factor);
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

}  // namespace

extern "C" void convtranspose2d_batchnorm_tanh_maxpool_groupnorm(const float* x, const float* w, const float* scale, const float* bias,
                                                                 const float* scale2, const float* bias2, float* y, int64_t N, int64_t C,
                                                                 int64_t H, int64_t W, int64_t O) {
  const int64_t size = (H + 2) * (W + 2);
  std::vector<float> z = transposed(x, w, N, C, H, W, O);
#pragma omp parallel for
  for (int64_t o = 0; o < O; ++o) {
    std::vector<float> channel(N * size);
    for (int64_t i = 0; i < N * size; ++i) channel[i] = z[(i / size * O + o) * size + i % size];
    normalize(channel.data(), N * size);
    for (int64_t i = 0; i < N * size; ++i) z[(i / size * O + o) * size + i % size] = std::tanh(channel[i] * scale[o] + bias[o]);
  }
  std::vector<float> most = max_pool(z, N * O, H + 2, W + 2, 2);
  const int64_t pooled = ((H + 2) / 2) * ((W + 2) / 2);
#pragma omp parallel for
  for (int64_t group = 0; group < N * 8; ++group) normalize(&most[group * O / 8 * pooled], O / 8 * pooled);
  for (int64_t i = 0; i < N * O; ++i)
    for (int64_t j = i * pooled; j < (i + 1) * pooled; ++j) y[j] = most[j] * scale2[i % O] + bias2[i % O];
}
