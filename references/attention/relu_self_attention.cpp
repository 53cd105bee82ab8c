// SPDX-License-Identifier: Apache-2.0
// Some queries of one head at a time: a product gives their scores, a second one sums the values.
#include "blocks/product.h"

#include <cmath>

#include "kernel.h"

extern "C" void relu_self_attention(const float* x, const float* w, const float* b, float* y, int64_t B, int64_t T, int64_t H, int64_t D) {
  constexpr int64_t kQueries = 48;
  const int64_t width = H * D;
  std::vector<float> packed(B * T * 3 * width);
  for (int64_t t = 0; t < B * T; ++t) std::copy_n(b, 3 * width, &packed[t * 3 * width]);
  blocks::product(B * T, 3 * width, width, blocks::row_major(x, width), blocks::row_major(w, 3 * width), packed.data(), 3 * width, true);
  const float root = std::sqrt(static_cast<float>(D));
#pragma omp parallel for collapse(3) schedule(dynamic)
  for (int64_t n = 0; n < B; ++n)
    for (int64_t head = 0; head < H; ++head)
      for (int64_t first = 0; first < T; first += kQueries) {
        const int64_t end = std::min(first + kQueries, T), count = end - first;
        const float *q = &packed[(n * T + first) * 3 * width + head * D], *k = &packed[n * T * 3 * width + width + head * D], *v = k + width;
        std::vector<float> weights(count * T);
        blocks::product(count, end, D, blocks::row_major(q, 3 * width), blocks::transposed(k, 3 * width), weights.data(), T);
        for (int64_t t = first; t < end; ++t) {
          float* row = &weights[(t - first) * T];
          for (int64_t s = 0; s <= t; ++s) row[s] = row[s] < 0 ? 0 : row[s] / root;  // NaN stays
          std::fill(row + t + 1, row + end, 0.0f);
        }
        // A weight of 0 counts, too: what is infinite in the values shows as NaN.
        float* out = y + (n * T + first) * width + head * D;
        blocks::product(count, D, T, blocks::row_major(weights.data(), T), blocks::row_major(v, 3 * width), out, width);
      }
}
