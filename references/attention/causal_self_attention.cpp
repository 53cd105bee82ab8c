// SPDX-License-Identifier: Apache-2.0
// Some queries of a head at a time, whose scores are one product with all keys up to the last of them. Weights of later keys are 0.
#include "blocks/vector_math.h"
#include "blocks/product.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

/// out [rows, columns] = in [rows, inner] times weights [inner, columns], plus a bias of each column.
void linear(const float* in, const float* weights, const float* bias, float* out, int64_t rows, int64_t inner, int64_t columns) {
  blocks::product(rows, columns, inner, blocks::row_major(in, inner), blocks::row_major(weights, columns), out, columns);
#pragma omp parallel for
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c) out[r * columns + c] += bias[c];
}

}  // namespace

extern "C" void causal_self_attention(const float* x, const float* w, const float* b, const float* u, const float* c, float* y, int64_t B,
                                      int64_t T, int64_t H, int64_t D) {
  constexpr int64_t kQueries = 48;
  const int64_t width = H * D, stride = 3 * width;
  std::vector<float> packed(B * T * stride), heads(B * T * width);
  linear(x, w, b, packed.data(), B * T, width, stride);
  const float scale = 1 / std::sqrt(static_cast<float>(D));
#pragma omp parallel
  {
    std::vector<float> weights(kQueries * T);
#pragma omp for collapse(3) schedule(dynamic)
    for (int64_t n = 0; n < B; ++n)
      for (int64_t head = 0; head < H; ++head)
        for (int64_t first = 0; first < T; first += kQueries) {
          const int64_t count = std::min(kQueries, T - first), seen = first + count;
          const float* q = &packed[(n * T + first) * stride + head * D];
          const float* k = &packed[n * T * stride + width + head * D];
          const float* v = k + width;
          blocks::product(count, seen, D, blocks::row_major(q, stride), blocks::transposed(k, stride), weights.data(), seen);
          for (int64_t i = 0; i < count; ++i) {
            float *row = &weights[i * seen], largest = -INFINITY, sum = 0;
            const int64_t own = first + i + 1;
#pragma omp simd reduction(max : largest)
            for (int64_t s = 0; s < own; ++s) largest = largest < row[s] ? row[s] : largest;
#pragma omp simd reduction(+ : sum)
            for (int64_t s = 0; s < own; ++s) sum += row[s] = blocks::exp((row[s] - largest) * scale);
            for (int64_t s = 0; s < own; ++s) row[s] /= sum;
            std::fill(row + own, row + seen, 0.0f);
          }
          float* out = &heads[(n * T + first) * width + head * D];
          blocks::product(count, D, seen, blocks::row_major(weights.data(), seen), blocks::row_major(v, stride), out, width);
        }
  }
  linear(heads.data(), u, c, y, B * T, width, width);
}
