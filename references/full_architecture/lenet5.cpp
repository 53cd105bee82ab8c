// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole.
#include "blocks/layers.h"

#include "kernel.h"

namespace {

// y = x w^T + b, and nothing below `low`.
void linear(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t I, int64_t O,
            float low = -std::numeric_limits<float>::infinity()) {
  for (int64_t n = 0; n < N; ++n) std::copy_n(b, O, y + n * O);
  blocks::product(N, O, I, blocks::row_major(x, I), blocks::transposed(w, I), y, O, true);
  for (int64_t i = 0; i < N * O; ++i) y[i] = y[i] < low ? low : y[i];
}

}  // namespace

extern "C" void lenet5(const float* x, const float* k1, const float* c1, const float* k2, const float* c2, const float* w1, const float* b1,
                       const float* w2, const float* b2, const float* w3, const float* b3, float* y, int64_t N, int64_t P, int64_t Q,
                       int64_t A, int64_t B, int64_t U, int64_t V, int64_t K) {
  const int64_t H = 4 * P + 12, W = 4 * Q + 12;
  const auto layer = [](const blocks::Images& in, const float* w, const float* b, int64_t channels) {
    return blocks::pooled_by_two(blocks::bent(blocks::convolved(in, w, b, channels, 5, 0)), 2);
  };
  const blocks::Images h = layer(layer({N, 1, H, W, {x, x + N * H * W}}, k1, c1, A), k2, c2, B);
  const int64_t count = h.c * h.h * h.w;
  std::vector<float> a(N * U), z(N * V);
  linear(h.data.data(), w1, b1, a.data(), N, count, U, 0);
  linear(a.data(), w2, b2, z.data(), N, U, V, 0);
  linear(z.data(), w3, b3, y, N, V, K);
}
