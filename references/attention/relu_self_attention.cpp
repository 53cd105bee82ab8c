// SPDX-License-Identifier: Apache-2.0
// A query at a time; without softmax no score has to be kept.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

/// out [rows, columns] = in [rows, inner] times weights [inner, columns], plus a bias of each column.
void linear(const float* in, const float* weights, const float* bias, float* out, int64_t rows, int64_t inner, int64_t columns) {
#pragma omp parallel for
  for (int64_t r = 0; r < rows; ++r) {
    float* __restrict row = out + r * columns;
    std::fill_n(row, columns, 0.0f);
    for (int64_t i = 0; i < inner; ++i) {
      const float factor = in[r * inner + i];
      const float* __restrict from = weights + i * columns;
#pragma omp simd
      for (int64_t c = 0; c < columns; ++c) row[c] += factor * from[c];
    }
    for (int64_t c = 0; c < columns; ++c) row[c] += bias[c];
  }
}

float dot(const float* a, const float* b, int64_t size) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

extern "C" void relu_self_attention(const float* x, const float* w, const float* b, float* y, int64_t B, int64_t T, int64_t H,
                                    int64_t D) {
  const int64_t width = H * D;
  std::vector<float> packed(B * T * 3 * width);
  linear(x, w, b, packed.data(), B * T, width, 3 * width);
  const float root = std::sqrt(static_cast<float>(D));
#pragma omp parallel for collapse(3)
  for (int64_t n = 0; n < B; ++n)
    for (int64_t head = 0; head < H; ++head)
      for (int64_t t = 0; t < T; ++t) {
        const float* q = packed.data() + (n * T + t) * 3 * width + head * D;
        const float* k = packed.data() + n * T * 3 * width + width + head * D;
        const float* v = k + width;
        float* out = y + (n * T + t) * width + head * D;
        std::fill_n(out, D, 0.0f);
        for (int64_t s = 0; s < T; ++s) {
          const float score = s <= t ? dot(q, k + s * 3 * width, D) / root : 0;
          const float weight = score < 0 ? 0 : score;  // NaN stays
          // A weight of 0 counts, too: what is infinite in the values shows as NaN.
          for (int64_t d = 0; d < D; ++d) out[d] += weight * v[s * 3 * width + d];
        }
      }
}
