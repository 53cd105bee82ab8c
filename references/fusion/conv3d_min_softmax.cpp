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

/// Softmax over O numbers that are `stride` apart.
void softmax(float* z, int64_t O, int64_t stride) {
  float top = z[0], sum = 0;
  for (int64_t o = 1; o < O; ++o) top = std::max(top, z[o * stride]);
  for (int64_t o = 0; o < O; ++o) sum += z[o * stride] = std::exp(z[o * stride] - top);
  for (int64_t o = 0; o < O; ++o) z[o * stride] /= sum;
}

}  // namespace

extern "C" void conv3d_min_softmax(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t D, int64_t H,
                                   int64_t W, int64_t O) {
  const int64_t area = (H - 2) * (W - 2);
  const std::vector<float> z = convolution(x, w, b, N, C, D, H, W, O);
  for (int64_t i = 0; i < N * O; ++i)
    for (int64_t j = 0; j < area; ++j) {
      float least = INFINITY;
      for (int64_t d = 0; d < D - 2; ++d) least = std::min(least, z[(i * (D - 2) + d) * area + j]);
      y[i * area + j] = least;
    }
  for (int64_t n = 0; n < N; ++n)
    for (int64_t j = 0; j < area; ++j) softmax(y + n * O * area + j, O, area);
}
