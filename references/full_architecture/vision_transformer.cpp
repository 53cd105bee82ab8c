// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole. A head at a time: one product gives the scores of all queries, another one the sums of the values.
#include "blocks/vector_math.h"
#include "blocks/product.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

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

// Of B sequences of T packed queries, keys and values: a position attends to all of them.
void attend(const std::vector<float>& packed, float* heads, int64_t B, int64_t T, int64_t H, int64_t D) {
  const int64_t width = H * D;
  const float scale = 1 / std::sqrt(static_cast<float>(D));
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t n = 0; n < B; ++n)
    for (int64_t head = 0; head < H; ++head) {
      std::vector<float> scores(T * T);
      const float *q = packed.data() + n * T * 3 * width + head * D, *k = q + width, *v = k + width;
      blocks::product(T, T, D, blocks::row_major(q, 3 * width), blocks::transposed(k, 3 * width), scores.data(), T);
      for (int64_t t = 0; t < T; ++t) {
        float* row = &scores[t * T];
        float largest = -INFINITY, sum = 0;
#pragma omp simd reduction(max : largest)
        for (int64_t s = 0; s < T; ++s) {
          row[s] *= scale;
          largest = largest < row[s] ? row[s] : largest;
        }
#pragma omp simd reduction(+ : sum)
        for (int64_t s = 0; s < T; ++s) sum += row[s] = blocks::exp(row[s] - largest);
        for (int64_t s = 0; s < T; ++s) row[s] /= sum;
      }
      blocks::product(T, D, T, blocks::row_major(scores.data(), T), blocks::row_major(v, 3 * width), heads + n * T * width + head * D,
                      width);
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
#pragma omp parallel for simd schedule(static)
    for (int64_t i = 0; i < rows * width; ++i) sum[i] += to[i];
  };
  for (int layer = 0; layer < 6; ++layer) {
    linear(z.data(), l.a, l.ab, packed.data(), rows, width, 3 * width);
    attend(packed, heads.data(), B, T, H, E);
    linear(heads.data(), l.o, l.ob, sum.data(), rows, width, width);
    add(z);
    normalize(sum.data(), l.s1, l.t1, z.data(), rows, width);
    linear(z.data(), l.u, l.ub, inner.data(), rows, width, M);
#pragma omp parallel for simd schedule(static)
    for (int64_t i = 0; i < rows * M; ++i) inner[i] = inner[i] < 0 ? 0 : inner[i];
    linear(inner.data(), l.d, l.db, sum.data(), rows, M, width);
    add(z);
    normalize(sum.data(), l.s2, l.t2, z.data(), rows, width);
    l.a += width * 3 * width, l.ab += 3 * width, l.o += width * width, l.u += width * M, l.ub += M, l.d += M * width;
    for (const float** row : {&l.ob, &l.s1, &l.t1, &l.db, &l.s2, &l.t2}) *row += width;
  }
}

}  // namespace

extern "C" void vision_transformer(const float* x, const float* w, const float* b, const float* start, const float* place, const float* a,
                                   const float* ab, const float* o, const float* ob, const float* s1, const float* t1, const float* u,
                                   const float* ub, const float* d, const float* db, const float* s2, const float* t2, const float* w1,
                                   const float* b1, const float* w2, const float* b2, float* y, int64_t N, int64_t A, int64_t P, int64_t B,
                                   int64_t H, int64_t E, int64_t M, int64_t K) {
  const int64_t count = A * B, depth = 3 * P * P, width = H * E, T = count + 1;
  std::vector<float> patches(N * count * depth), tokens(N * count * width), z(N * T * width);
  float* to = patches.data();
  for (int64_t plane = 0; plane < N * 3; ++plane)
    for (int64_t row = 0; row < A; ++row)
      for (int64_t column = 0; column < B; ++column)
        for (int64_t i = 0; i < P; ++i) to = std::copy_n(x + ((plane * A + row) * P + i) * B * P + column * P, P, to);
  linear(patches.data(), w, b, tokens.data(), N * count, depth, width);
  for (int64_t n = 0; n < N; ++n)
    for (int64_t t = 0; t < T; ++t) {
      const float* from = t == 0 ? start : tokens.data() + (n * count + t - 1) * width;
      for (int64_t i = 0; i < width; ++i) z[(n * T + t) * width + i] = from[i] + place[t * width + i];
    }
  transform(z, {a, ab, o, ob, s1, t1, u, ub, d, db, s2, t2}, N, T, H, E, M);
  std::vector<float> last(N * width), inner(N * M);
  for (int64_t n = 0; n < N; ++n) std::copy_n(z.data() + n * T * width, width, last.data() + n * width);
  linear(last.data(), w1, b1, inner.data(), N, width, M);
  for (float& each : inner) each = 0.5f * each * (1 + blocks::erf(each * 0.70710678f));
  linear(inner.data(), w2, b2, y, N, M, K);
}
