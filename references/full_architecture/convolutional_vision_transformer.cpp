// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole. A query at a time: its scores are kept, so that softmax is taken in two passes.
#include "blocks/vector_math.h"

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
#pragma omp simd reduction(+ : sum)
          for (int64_t s = 0; s < T; ++s) sum += scores[s] = blocks::exp(scores[s] - largest);
          float* out = heads + (n * T + t) * width + head * D;
          std::fill_n(out, D, 0.0f);
          for (int64_t s = 0; s < T; ++s)
            for (int64_t d = 0; d < D; ++d) out[d] += scores[s] / sum * v[s * 3 * width + d];
        }
  }
}

struct Layers {
  const float *a, *ab, *o, *ob, *s1, *t1, *u, *ub, *d, *db, *s2, *t2;
};

/// Six layers on `z`: B sequences of T tokens of H heads of E features.
void transform(std::vector<float>& z, Layers l, int64_t B, int64_t T, int64_t H, int64_t E, int64_t M) {
  const int64_t rows = B * T, width = H * E;
  std::vector<float> packed(rows * 3 * width), heads(rows * width), sum(rows * width), inner(rows * M);
  const auto add = [&](const std::vector<float>& to) {
    for (int64_t i = 0; i < rows * width; ++i) sum[i] += to[i];
  };
  for (int layer = 0; layer < 6; ++layer) {
    linear(z.data(), l.a, l.ab, packed.data(), rows, width, 3 * width);
    attend(packed, heads.data(), B, T, H, E);
    linear(heads.data(), l.o, l.ob, sum.data(), rows, width, width);
    add(z);
    normalize(sum.data(), l.s1, l.t1, z.data(), rows, width);
    linear(z.data(), l.u, l.ub, inner.data(), rows, width, M);
    for (float& each : inner) each = each < 0 ? 0 : each;
    linear(inner.data(), l.d, l.db, sum.data(), rows, M, width);
    add(z);
    normalize(sum.data(), l.s2, l.t2, z.data(), rows, width);
    l.a += width * 3 * width, l.ab += 3 * width, l.o += width * width, l.u += width * M, l.ub += M, l.d += M * width;
    for (const float** row : {&l.ob, &l.s1, &l.t1, &l.db, &l.s2, &l.t2}) *row += width;
  }
}

}  // namespace

extern "C" void convolutional_vision_transformer(const float* x, const float* w, const float* wb, const float* p, const float* pb,
                                                 const float* start, const float* a, const float* ab, const float* o, const float* ob,
                                                 const float* s1, const float* t1, const float* u, const float* ub, const float* d,
                                                 const float* db, const float* s2, const float* t2, const float* head, const float* b,
                                                 float* y, int64_t N, int64_t A, int64_t B, int64_t C, int64_t H, int64_t E, int64_t M,
                                                 int64_t K) {
  const int64_t width = H * E, features = C * A * B;
  std::vector<float> maps(N * features), tokens(N * width), z(N * 2 * width), last(N * width);
#pragma omp parallel for
  for (int64_t plane = 0; plane < N * C; ++plane)
    for (int64_t i = 0; i < A; ++i)
      for (int64_t j = 0; j < B; ++j) {
        float sum = wb[plane % C];
        for (int64_t tap = 0; tap < 48; ++tap)  // channel, row, column
          sum += w[plane % C * 48 + tap] * x[((plane / C * 3 + tap / 16) * 4 * A + 4 * i + tap / 4 % 4) * 4 * B + 4 * j + tap % 4];
        maps[(plane * A + i) * B + j] = sum;
      }
  linear(maps.data(), p, pb, tokens.data(), N, features, width);
  for (int64_t n = 0; n < N; ++n) {
    std::copy_n(start, width, z.data() + 2 * n * width);
    std::copy_n(tokens.data() + n * width, width, z.data() + (2 * n + 1) * width);
  }
  transform(z, {a, ab, o, ob, s1, t1, u, ub, d, db, s2, t2}, N, 2, H, E, M);
  for (int64_t n = 0; n < N; ++n) std::copy_n(z.data() + 2 * n * width, width, last.data() + n * width);
  linear(last.data(), head, b, y, N, width, K);
}
