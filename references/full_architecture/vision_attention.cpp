// SPDX-License-Identifier: Apache-2.0
// A query at a time: its scores are kept, so that softmax is taken in two passes.
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

void normalize(const float* in, const float* scale, const float* shift, float* out, int64_t rows, int64_t width) {
#pragma omp parallel for
  for (int64_t r = 0; r < rows; ++r) {
    const float* x = in + r * width;
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < width; ++i) sum += x[i];
    const double mean = sum / static_cast<double>(width);
    for (int64_t i = 0; i < width; ++i) squares += (x[i] - mean) * (x[i] - mean);
    const double factor = 1 / std::sqrt(squares / static_cast<double>(width) + 1e-5);
    for (int64_t i = 0; i < width; ++i) out[r * width + i] = static_cast<float>((x[i] - mean) * factor * scale[i] + shift[i]);
  }
}

// Of B sequences of T packed queries, keys and values: a position attends to all of them.
void attend(const std::vector<float>& packed, float* heads, int64_t B, int64_t T, int64_t H, int64_t D) {
  const int64_t width = H * D;
  const float scale = 1 / std::sqrt(static_cast<float>(D));
#pragma omp parallel
  {
    std::vector<float> scores(T);
#pragma omp for collapse(3)
    for (int64_t n = 0; n < B; ++n)
      for (int64_t head = 0; head < H; ++head)
        for (int64_t t = 0; t < T; ++t) {
          const float* q = packed.data() + (n * T + t) * 3 * width + head * D;
          const float* k = packed.data() + n * T * 3 * width + width + head * D;
          const float* v = k + width;
          float largest = -INFINITY, sum = 0;
          for (int64_t s = 0; s < T; ++s) {
            scores[s] = dot(q, k + s * 3 * width, D) * scale;
            largest = std::max(largest, scores[s]);
          }
          for (int64_t s = 0; s < T; ++s) sum += scores[s] = std::exp(scores[s] - largest);
          float* out = heads + (n * T + t) * width + head * D;
          std::fill_n(out, D, 0.0f);
          for (int64_t s = 0; s < T; ++s)
            for (int64_t d = 0; d < D; ++d) out[d] += scores[s] / sum * v[s * 3 * width + d];
        }
  }
}

}  // namespace

extern "C" void vision_attention(const float* x, const float* w, const float* b, const float* u, const float* c, const float* scale,
                                 const float* shift, float* y, int64_t N, int64_t D, int64_t H, int64_t W) {
  const int64_t area = H * W, width = 4 * D, rows = N * area;
  std::vector<float> pixels(rows * width), packed(rows * 3 * width), heads(rows * width), sum(rows * width), normal(rows * width);
  for (int64_t n = 0; n < N; ++n)
    for (int64_t i = 0; i < width; ++i)
      for (int64_t p = 0; p < area; ++p) pixels[(n * area + p) * width + i] = x[(n * width + i) * area + p];
  linear(pixels.data(), w, b, packed.data(), rows, width, 3 * width);
  attend(packed, heads.data(), N, area, 4, D);
  linear(heads.data(), u, c, sum.data(), rows, width, width);
  for (int64_t i = 0; i < rows * width; ++i) sum[i] += pixels[i];
  normalize(sum.data(), scale, shift, normal.data(), rows, width);
  for (int64_t n = 0; n < N; ++n)
    for (int64_t i = 0; i < width; ++i)
      for (int64_t p = 0; p < area; ++p) y[(n * width + i) * area + p] = normal[(n * area + p) * width + i];
}
