// SPDX-License-Identifier: Apache-2.0
// The convolution first, then its volumes one by one.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

/// The convolution with 3 by 3 by 3 taps and a bias: [N, O, D - 2, H - 2, W - 2].
std::vector<float> convolution(const float* x, const float* w, const float* b, int64_t N, int64_t C, int64_t D, int64_t H, int64_t W, int64_t O) {
  constexpr int64_t K = 3, P = 0;
  const int64_t OD = D + 2 * P - K + 1, OH = H + 2 * P - K + 1, OW = W + 2 * P - K + 1;
  std::vector<float> z(N * O * OD * OH * OW);
#pragma omp parallel for
  for (int64_t plane = 0; plane < N * O; ++plane)
    for (int64_t d = 0; d < OD; ++d)
      for (int64_t h = 0; h < OH; ++h) {
        float* row = &z[((plane * OD + d) * OH + h) * OW];
        std::fill_n(row, OW, b[plane % O]);
        for (int64_t tap = 0; tap < C * K * K; ++tap) {
          const int64_t c = tap / (K * K), in_d = d + tap / K % K - P, in_h = h + tap % K - P;
          if (in_d < 0 || in_d >= D || in_h < 0 || in_h >= H) continue;
          const float* in = x + (((plane / O * C + c) * D + in_d) * H + in_h) * W - P;
          for (int64_t q = 0; q < K; ++q) {
            const float weight = w[(plane % O * C * K * K + tap) * K + q];
            const int64_t begin = std::max<int64_t>(0, P - q), end = std::min(OW, W + P - q);
#pragma omp simd
            for (int64_t i = begin; i < end; ++i) row[i] += weight * in[i + q];
          }
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

extern "C" void conv3d_group_norm_mean(const float* x, const float* w, const float* b, const float* scale, const float* bias, float* y,
                                       int64_t N, int64_t C, int64_t D, int64_t H, int64_t W, int64_t O) {
  const int64_t size = (D - 2) * (H - 2) * (W - 2);
  std::vector<float> z = convolution(x, w, b, N, C, D, H, W, O);
#pragma omp parallel for
  for (int64_t group = 0; group < N * 8; ++group) normalize(&z[group * O / 8 * size], O / 8 * size);
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    double sum = 0;
    for (int64_t i = 0; i < O * size; ++i) sum += z[n * O * size + i] * scale[i / size] + bias[i / size];
    y[n] = static_cast<float>(sum / (O * size));
  }
}
