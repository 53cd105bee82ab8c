// SPDX-License-Identifier: Apache-2.0
// Each layer is one product. Features are rows of it, so that its left factor, the weights, is split among threads though there are few rows of x.
#include "blocks/product.h"

#include <algorithm>
#include <vector>

#include "kernel.h"

namespace {

/// z [O, N] = ReLU(w [O, I] x + b), x of I rows and N columns.
void layer(blocks::Strided x, const float* w, const float* b, float* z, int64_t N, int64_t I, int64_t O) {
  blocks::product(O, N, I, blocks::row_major(w, I), x, z, N);
  for (int64_t o = 0; o < O; ++o)
    for (int64_t n = 0; n < N; ++n) z[o * N + n] = std::max(z[o * N + n] + b[o], 0.0f);
}

}  // namespace

extern "C" void deep_narrow_mlp(const float* x, const float* w, const float* v, const float* b, const float* head, const float* b_head,
                                float* y, int64_t N, int64_t I, int64_t H, int64_t O) {
  std::vector<float> h(H * N), z(H * N);
  layer(blocks::transposed(x, I), w, b, h.data(), N, I, H);
  for (int64_t i = 0; i < 15; ++i) {
    layer(blocks::row_major(h.data(), N), v + i * H * H, b + (i + 1) * H, z.data(), N, H, H);
    std::swap(h, z);
  }
  blocks::product(N, O, H, blocks::transposed(h.data(), N), blocks::transposed(head, H), y, O);
  for (int64_t n = 0; n < N; ++n)
    for (int64_t o = 0; o < O; ++o) y[n * O + o] += b_head[o];
}
