// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "kernel.h"

namespace {

constexpr int64_t C = 16, O = 32;

// One channel with its kernel of 3 by 3.
void depthwise(const float* x, const float* d, float* y, int64_t H, int64_t W) {
  for (int64_t h = 0; h < H; ++h)
    for (int64_t w = 0; w < W; ++w) {
      float sum = 0;
      for (int64_t i = std::max<int64_t>(h - 1, 0); i < std::min(h + 2, H); ++i)
        for (int64_t j = std::max<int64_t>(w - 1, 0); j < std::min(w + 2, W); ++j) sum += d[(i - h + 1) * 3 + j - w + 1] * x[i * W + j];
      y[h * W + w] = sum;
    }
}

}  // namespace

void conv_depthwise_separable_2d(const float* x, const float* d, const float* p, float* y, int64_t N, int64_t H, int64_t W) {
  const int64_t size = H * W;
  std::vector<float> channels(C * size);
  for (int64_t n = 0; n < N; ++n) {
#pragma omp parallel for schedule(static)
    for (int64_t c = 0; c < C; ++c) depthwise(x + (n * C + c) * size, d + c * 9, &channels[c * size], H, W);
#pragma omp parallel for schedule(static)
    for (int64_t o = 0; o < O; ++o) {
      float* __restrict out = y + (n * O + o) * size;
      std::fill_n(out, size, 0.0f);
      for (int64_t c = 0; c < C; ++c)
#pragma omp simd
        for (int64_t i = 0; i < size; ++i) out[i] += p[o * C + c] * channels[c * size + i];
    }
  }
}
