// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole.
#include "blocks/layers.h"

#include "kernel.h"

extern "C" void alexnet(const float* x, const float* k1, const float* c1, const float* k2, const float* c2, const float* k3,
                        const float* c3, const float* k4, const float* c4, const float* k5, const float* c5, const float* w1,
                        const float* b1, const float* w2, const float* b2, const float* w3, const float* b3, float* y, int64_t N, int64_t P,
                        int64_t Q, int64_t C, int64_t U, int64_t K) {
  const int64_t H = 32 * P + 32, W = 32 * Q + 32;
  const auto layer = [](const blocks::Images& in, const float* w, const float* b, int64_t channels, int64_t size, int64_t pad,
                        int64_t stride) { return blocks::bent(blocks::convolved(in, w, b, channels, size, pad, stride)); };
  blocks::Images h = blocks::pooled_by_two(layer({N, 3, H, W, {x, x + N * 3 * H * W}}, k1, c1, 3 * C, 11, 2, 4), 3);
  h = blocks::pooled_by_two(layer(h, k2, c2, 8 * C, 5, 2, 1), 3);
  h = layer(layer(h, k3, c3, 12 * C, 3, 1, 1), k4, c4, 12 * C, 3, 1, 1);
  h = blocks::pooled_by_two(layer(h, k5, c5, 8 * C, 3, 1, 1), 3);
  const int64_t count = h.c * h.h * h.w;
  std::vector<float> a(N * U), z(N * U);
  blocks::linear(h.data.data(), w1, b1, a.data(), N, count, U, 0);
  blocks::linear(a.data(), w2, b2, z.data(), N, U, U, 0);
  blocks::linear(z.data(), w3, b3, y, N, U, K);
}
