// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole.
#include "blocks/layers.h"

#include "kernel.h"

namespace {

constexpr int64_t widths[] = {1, 2, 4, 8, 8}, layers[] = {2, 2, 3, 3, 3};  // widths in units of C

}  // namespace

extern "C" void vgg16(const float* x, const float* weights, const float* bias, const float* w1, const float* b1, const float* w2,
                      const float* b2, const float* w3, const float* b3, float* y, int64_t N, int64_t P, int64_t Q, int64_t C, int64_t U,
                      int64_t K) {
  // The kernel and biases of a layer follow those of the layer before it.
  auto layer = [&](const blocks::Images& in, int64_t channels) {
    blocks::Images out = blocks::bent(blocks::convolved(in, weights, bias, channels, 3, 1));
    weights += channels * in.c * 9, bias += channels;
    return out;
  };
  blocks::Images h{N, 3, 32 * P, 32 * Q, {x, x + N * 3 * 32 * P * 32 * Q}};
  for (int64_t i = 0; i < 5; ++i) {
    for (int64_t n = 0; n < layers[i]; ++n) h = layer(h, widths[i] * C);
    h = blocks::pooled_by_two(h, 2);
  }
  std::vector<float> a(N * U), z(N * U);
  blocks::linear(h.data.data(), w1, b1, a.data(), N, 8 * C * P * Q, U, 0);
  blocks::linear(a.data(), w2, b2, z.data(), N, U, U, 0);
  blocks::linear(z.data(), w3, b3, y, N, U, K);
}
