// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole. What there is of the output is what the next layer reads.
#include "blocks/convolution.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

// The first `channels` of each image's `stride`, each by its mean and variance over all images, then nothing below zero.
std::vector<float> normalize(const float* x, const float* scale, const float* shift, int64_t N, int64_t channels, int64_t stride,
                             int64_t area) {
  const double count = static_cast<double>(N * area);
  std::vector<float> y(N * channels * area);
#pragma omp parallel for schedule(static)
  for (int64_t c = 0; c < channels; ++c) {
    double sum = 0, squares = 0;
    for (int64_t n = 0; n < N; ++n) {
      const float* v = x + (n * stride + c) * area;
#pragma omp simd reduction(+ : sum)
      for (int64_t p = 0; p < area; ++p) sum += v[p];
    }
    const double mean = sum / count;
    for (int64_t n = 0; n < N; ++n) {
      const float* v = x + (n * stride + c) * area;
#pragma omp simd reduction(+ : squares)
      for (int64_t p = 0; p < area; ++p) squares += (v[p] - mean) * (v[p] - mean);
    }
    const double factor = scale[c] / std::sqrt(squares / count + 1e-5);
    for (int64_t n = 0; n < N; ++n) {
      const float* v = x + (n * stride + c) * area;
      float* to = &y[(n * channels + c) * area];
      for (int64_t p = 0; p < area; ++p) {
        const float z = static_cast<float>((v[p] - mean) * factor + shift[c]);
        to[p] = z < 0 ? 0 : z;
      }
    }
  }
  return y;
}

}  // namespace

extern "C" void densenet121_dense_block(const float* x, const float* scale1, const float* shift1, const float* w1, const float* scale2,
                                        const float* shift2, const float* w2, const float* scale3, const float* shift3, const float* w3,
                                        const float* scale4, const float* shift4, const float* w4, const float* scale5, const float* shift5,
                                        const float* w5, const float* scale6, const float* shift6, const float* w6, float* y, int64_t N,
                                        int64_t C, int64_t H, int64_t W, int64_t G) {
  const float* const scales[] = {scale1, scale2, scale3, scale4, scale5, scale6};
  const float* const shifts[] = {shift1, shift2, shift3, shift4, shift5, shift6};
  const float* const kernels[] = {w1, w2, w3, w4, w5, w6};
  const int64_t area = H * W, all = C + 6 * G;
  for (int64_t n = 0; n < N; ++n) std::copy_n(x + n * C * area, C * area, y + n * all * area);
  std::vector<float> more(N * G * area);
  for (int64_t i = 0; i < 6; ++i) {
    const int64_t channels = C + i * G;
    const std::vector<float> in = normalize(y, scales[i], shifts[i], N, channels, all, area);
    blocks::convolve({N, channels, G, 1, {}, {H, 3, H, 1, 1}, {W, 3, W, 1, 1}}, in.data(), kernels[i], nullptr, more.data());
    for (int64_t n = 0; n < N; ++n) std::copy_n(&more[n * G * area], G * area, y + (n * all + channels) * area);
  }
}
