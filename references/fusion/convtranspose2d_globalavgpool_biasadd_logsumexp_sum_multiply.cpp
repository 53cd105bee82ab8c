// SPDX-License-Identifier: Apache-2.0
// The transposed convolution first, then its images one by one.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

/// The transposed convolution with 3 by 3 taps, stride 1, padding 0 and a bias: [N, O, H + 2, W + 2].
std::vector<float> transposed(const float* x, const float* w, const float* b, int64_t N, int64_t C, int64_t H, int64_t W, int64_t O) {
  constexpr int64_t K = 3, S = 1, P = 0;
  const int64_t OH = H + 2, OW = W + 2;
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

float mean_of(const float* z, int64_t size) {
  double sum = 0;
  for (int64_t i = 0; i < size; ++i) sum += z[i];
  return static_cast<float>(sum / size);
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

extern "C" void convtranspose2d_globalavgpool_biasadd_logsumexp_sum_multiply(const float* x, const float* w, const float* b, const float* v,
                                                                             float* y, int64_t N, int64_t C, int64_t H, int64_t W,
                                                                             int64_t O) {
  const int64_t size = (H + 2) * (W + 2);
  std::vector<float> z = transposed(x, w, b, N, C, H, W, O);
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    std::vector<float> means(O);
    for (int64_t o = 0; o < O; ++o) means[o] = mean_of(&z[(n * O + o) * size], size) + v[o];
    y[n] = 10 * log_sum_exp(means.data(), O, 1);
  }
}
