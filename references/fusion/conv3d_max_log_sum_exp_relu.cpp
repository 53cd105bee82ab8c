// SPDX-License-Identifier: Apache-2.0
// The convolution first, then its volumes one by one.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

/// The convolution with 3 by 3 by 3 taps, padding 1 and a bias: [N, O, D, H, W].
std::vector<float> convolution(const float* x, const float* w, const float* b, int64_t N, int64_t C, int64_t D, int64_t H, int64_t W, int64_t O) {
  constexpr int64_t K = 3, P = 1;
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

/// The logarithm of the sum of the exponentials of O numbers that are `stride` apart.
float log_sum_exp(const float* z, int64_t O, int64_t stride) {
  float top = z[0];
  for (int64_t o = 1; o < O; ++o) top = std::max(top, z[o * stride]);
  double sum = 0;
  for (int64_t o = 0; o < O; ++o) sum += std::exp(z[o * stride] - top);
  return top + static_cast<float>(std::log(sum));
}

}  // namespace

extern "C" void conv3d_max_log_sum_exp_relu(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t D,
                                            int64_t H, int64_t W, int64_t O) {
  const std::vector<float> most = max_pool(convolution(x, w, b, N, C, D, H, W, O), N * O, D, H, W, 2);
  const int64_t size = (D / 2) * (H / 2) * (W / 2);
  for (int64_t i = 0; i < N * size; ++i) {
    const float sum = log_sum_exp(&most[i / size * O * size + i % size], O, size);
    y[i] = sum < 0 ? 0 : sum;
  }
}
