// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole.
#include "blocks/depthwise.h"

#include <cmath>

#include "kernel.h"

namespace {

// Each channel of each image times sigmoid(v relu(u m)), where m are its channels' means.
void excite(blocks::Maps& x, const float* u, const float* v, int64_t squeezed) {
  int64_t area = x.h * x.w;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < x.n; ++i) {
    std::vector<float> means(x.c), active(squeezed);
    for (int64_t c = 0; c < x.c; ++c) {
      const float* v = x.channel(c) + i * area;
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t p = 0; p < area; ++p) sum += v[p];
      means[c] = static_cast<float>(sum / static_cast<double>(area));
    }
    for (int64_t q = 0; q < squeezed; ++q) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t c = 0; c < x.c; ++c) sum += u[q * x.c + c] * means[c];
      active[q] = sum < 0 ? 0 : sum;
    }
    for (int64_t c = 0; c < x.c; ++c) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t q = 0; q < squeezed; ++q) sum += v[c * squeezed + q] * active[q];
      float factor = 1 / (1 + std::exp(-sum));
      for (int64_t p = 0; p < area; ++p) x.channel(c)[i * area + p] *= factor;
    }
  }
}

struct block {
  int64_t hidden, squeezed, channels, stride;  // channels in units of C
};
constexpr block stages[] = {{12, 3, 12, 1}, {72, 18, 18, 2}, {108, 27, 24, 2}, {144, 36, 36, 2}, {216, 54, 48, 1}};

}  // namespace

extern "C" void efficientnet_b2(const float* x, const float* weights, const float* scale, const float* shift, const float* head,
                                const float* b, float* y, int64_t N, int64_t H, int64_t W, int64_t C, int64_t K) {
  // The kernel, scales and shifts of a layer follow those of the layer before it.
  auto layer = [&](const blocks::Maps& in, int64_t channels, const blocks::Window& k, float low) {
    blocks::Maps out = blocks::convolved(in, weights, channels, k);
    blocks::normalize(out, scale, shift, low, blocks::kInfinity);
    weights += channels * (in.c / k.groups) * k.taps(), scale += channels, shift += channels;
    return out;
  };
  blocks::Maps h = layer(blocks::read_images(x, N, 3, H, W), 4 * C, {3, 2, 1}, 0);
  for (const block& next : stages) {
    int64_t hidden = next.hidden * C, squeezed = next.squeezed * C;
    h = layer(h, hidden, {}, 0);
    h = layer(h, hidden, {3, next.stride, 1, hidden}, 0);
    excite(h, weights, weights + hidden * squeezed, squeezed);
    weights += 2 * hidden * squeezed;
    h = layer(h, next.channels * C, {}, -blocks::kInfinity);
  }
  blocks::classify(layer(h, 176 * C, {}, 0), head, b, y, K);
}
