// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole.
#include "blocks/layers.h"

#include "kernel.h"

namespace {

// The mean of each channel, then a linear layer.
void classify(const blocks::Images& x, const float* w, const float* b, float* y, int64_t K) {
  const int64_t area = x.h * x.w;
  for (int64_t i = 0; i < x.n; ++i) {
    std::vector<float> means(x.c);
    for (int64_t c = 0; c < x.c; ++c) {
      const float* v = x.image(i) + c * area;
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t p = 0; p < area; ++p) sum += v[p];
      means[c] = static_cast<float>(sum / static_cast<double>(area));
    }
    for (int64_t k = 0; k < K; ++k) {
      float sum = b[k];
#pragma omp simd reduction(+ : sum)
      for (int64_t c = 0; c < x.c; ++c) sum += w[k * x.c + c] * means[c];
      y[i * K + k] = sum;
    }
  }
}

}  // namespace

extern "C" void regnet(const float* x, const float* weights, const float* scale, const float* shift, const float* head, const float* b,
                       float* y, int64_t N, int64_t H, int64_t W, int64_t A, int64_t B, int64_t C, int64_t K) {
  // The kernel, scales and shifts of a layer follow those of the layer before it.
  auto layer = [&](const blocks::Images& in, int64_t channels) {
    blocks::Images out = blocks::convolved(in, weights, nullptr, channels, 3, 1);
    blocks::normalize(out, scale, shift, 0);
    weights += channels * in.c * 9, scale += channels, shift += channels;
    return out;
  };
  blocks::Images h{N, 3, H, W, {x, x + N * 3 * H * W}};
  for (const int64_t width : {A, B, C}) h = blocks::pooled_by_two(layer(layer(h, width), width), 2);
  classify(h, head, b, y, K);
}
