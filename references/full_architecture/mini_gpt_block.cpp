// SPDX-License-Identifier: Apache-2.0
// Some queries of a head at a time: one product gives their scores, another one the sum of the values before them.
#include "blocks/vector_math.h"
#include "blocks/product.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

constexpr int64_t kQueries = 48;  // at a time

/// out [rows, columns] = in [rows, inner] times weights [inner, columns], plus a bias of each column.
void linear(const float* in, const float* weights, const float* bias, float* out, int64_t rows, int64_t inner, int64_t columns) {
  for (int64_t r = 0; r < rows; ++r) std::copy_n(bias, columns, out + r * columns);
  blocks::product(rows, columns, inner, blocks::row_major(in, inner), blocks::row_major(weights, columns), out, columns, true);
}

void normalize(const float* in, const float* scale, const float* shift, float* out, int64_t rows, int64_t width) {
#pragma omp parallel for
  for (int64_t r = 0; r < rows; ++r) {
    const float* x = in + r * width;
    double sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < width; ++i) sum += x[i];
    const double mean = sum / static_cast<double>(width);
#pragma omp simd reduction(+ : squares)
    for (int64_t i = 0; i < width; ++i) squares += (x[i] - mean) * (x[i] - mean);
    const double factor = 1 / std::sqrt(squares / static_cast<double>(width) + 1e-5);
    for (int64_t i = 0; i < width; ++i) out[r * width + i] = static_cast<float>((x[i] - mean) * factor * scale[i] + shift[i]);
  }
}

// Of B sequences of T packed queries, keys and values: a position attends to those up to its own.
void attend(const std::vector<float>& packed, float* heads, int64_t B, int64_t T, int64_t H, int64_t D) {
  const int64_t width = H * D;
  const float scale = 1 / std::sqrt(static_cast<float>(D));
#pragma omp parallel for collapse(3) schedule(dynamic)
  for (int64_t n = 0; n < B; ++n)
    for (int64_t head = 0; head < H; ++head)
      for (int64_t first = 0; first < T; first += kQueries) {
        const int64_t count = std::min(kQueries, T - first);
        std::vector<float> scores(count * T);
        const float* k = packed.data() + n * T * 3 * width + width + head * D;
        const float *q = k + first * 3 * width - width, *v = k + width;
        blocks::product(count, first + count, D, blocks::row_major(q, 3 * width), blocks::transposed(k, 3 * width), scores.data(), T);
        for (int64_t t = 0; t < count; ++t) {
          float* row = &scores[t * T];
          float largest = -INFINITY, sum = 0;
#pragma omp simd reduction(max : largest)
          for (int64_t s = 0; s < first + t + 1; ++s) {
            row[s] *= scale;
            largest = largest < row[s] ? row[s] : largest;
          }
#pragma omp simd reduction(+ : sum)
          for (int64_t s = 0; s < first + t + 1; ++s) sum += row[s] = blocks::exp(row[s] - largest);
          for (int64_t s = 0; s < first + t + 1; ++s) row[s] /= sum;
        }
        float* out = heads + (n * T + first) * width + head * D;
        blocks::product(count, D, first, blocks::row_major(scores.data(), T), blocks::row_major(v, 3 * width), out, width);
        for (int64_t t = 0; t < count; ++t)
          for (int64_t s = first; s <= first + t; ++s)
            for (int64_t d = 0; d < D; ++d) out[t * width + d] += scores[t * T + s] * v[s * 3 * width + d];
      }
}

}  // namespace

extern "C" void mini_gpt_block(const float* x, const float* scale1, const float* shift1, const float* w, const float* b, const float* u,
                               const float* c, const float* scale2, const float* shift2, const float* widen, const float* b_widen,
                               const float* narrow, const float* b_narrow, float* y, int64_t B, int64_t T, int64_t H, int64_t D) {
  const int64_t rows = B * T, width = H * D;
  std::vector<float> normal(rows * width), packed(rows * 3 * width), heads(rows * width), h(rows * width), wide(rows * 4 * width);
  normalize(x, scale1, shift1, normal.data(), rows, width);
  linear(normal.data(), w, b, packed.data(), rows, width, 3 * width);
  attend(packed, heads.data(), B, T, H, D);
  linear(heads.data(), u, c, h.data(), rows, width, width);
  for (int64_t i = 0; i < rows * width; ++i) h[i] += x[i];
  normalize(h.data(), scale2, shift2, normal.data(), rows, width);
  linear(normal.data(), widen, b_widen, wide.data(), rows, width, 4 * width);
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < rows * 4 * width; ++i) {
    const float z = wide[i];
    wide[i] = 0.5f * z * (1 + blocks::tanh(0.7978845608f * (z + 0.044715f * z * z * z)));
  }
  linear(wide.data(), narrow, b_narrow, y, rows, 4 * width, width);
  for (int64_t i = 0; i < rows * width; ++i) y[i] += h[i];
}
