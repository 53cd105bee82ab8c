// SPDX-License-Identifier: Apache-2.0
// Attention of float32 in which the rows of a head lie any distance apart. Some queries at a time: one product gives their scores with all keys
// that any of them sees, a second one sums the values.
#pragma once

#include "blocks/vector_math.h"
#include "blocks/product.h"

#include <cmath>

namespace blocks {

constexpr int64_t kQueries = 96;  ///< at a time

struct Rows {
  const float* data;
  int64_t stride;
};

/// From key `begin` up to and without `end`.
struct Seen {
  int64_t begin, end;
};

/// All of S keys, for each query.
inline auto whole(int64_t S) {
  return [S](int64_t) { return Seen{0, S}; };
}

/// Of `count` queries of D numbers, `queries` from the first of them: o, whose rows are `stride` apart, = weights times v, V numbers each.
/// seen(n) are the keys of query n of the `count`, neither end of which lies before that of the query before;
/// weigh(n, keys, scores) makes scores of its keys weights.
template <class See, class Weigh>
void attend(int64_t count, int64_t D, int64_t V, Rows queries, Rows k, Rows v, float* o, int64_t stride, See&& seen, Weigh&& weigh) {
  const int64_t begin = seen(0).begin, width = seen(count - 1).end - begin;
  std::vector<float> scores(count * width);
  product(count, width, D, row_major(queries.data, queries.stride), transposed(k.data + begin * k.stride, k.stride), scores.data(), width);
  for (int64_t n = 0; n < count; ++n) {
    const Seen keys = seen(n);
    float* row = &scores[n * width];
    weigh(n, keys, row + keys.begin - begin);
    std::fill(row, row + keys.begin - begin, 0.0f);
    std::fill(row + keys.end - begin, row + width, 0.0f);
  }
  product(count, V, width, row_major(scores.data(), width), row_major(v.data + begin * v.stride, v.stride), o, stride);
}

/// Softmax in place of `scale` times each score, among which `sink` counts as one more.
inline void soften(float* scores, int64_t count, float scale, float sink = -INFINITY) {
  float largest = sink / scale;
#pragma omp simd reduction(max : largest)
  for (int64_t s = 0; s < count; ++s) largest = largest < scores[s] ? scores[s] : largest;
  float sum = exp(sink - scale * largest);
#pragma omp simd reduction(+ : sum)
  for (int64_t s = 0; s < count; ++s) sum += scores[s] = exp((scores[s] - largest) * scale);
  const float share = 1 / sum;
  for (int64_t s = 0; s < count; ++s) scores[s] *= share;
}

/// Attention of B sequences of T queries over S keys each, by the softmax of scores over the root of D. Heads of D numbers lie side by side;
/// `share` neighbours of the H query heads have one of keys and values. seen(t) are the keys of query t. o [B, T, H, D].
template <class See>
void attend_heads(int64_t B, int64_t T, int64_t S, int64_t H, int64_t share, int64_t D, Rows q, Rows k, Rows v, float* o, See&& seen) {
  const float scale = 1 / std::sqrt(static_cast<float>(D));
#pragma omp parallel for collapse(3) schedule(dynamic)
  for (int64_t n = 0; n < B; ++n)
    for (int64_t head = 0; head < H; ++head)
      for (int64_t first = 0; first < T; first += kQueries) {
        const int64_t at = head / share * D;
        attend(
            std::min(kQueries, T - first), D, D, {q.data + (n * T + first) * q.stride + head * D, q.stride},
            {k.data + n * S * k.stride + at, k.stride}, {v.data + n * S * v.stride + at, v.stride}, o + ((n * T + first) * H + head) * D, H * D,
            [&seen, first](int64_t i) -> Seen { return seen(first + i); },
            [scale](int64_t, Seen keys, float* scores) { soften(scores, keys.end - keys.begin, scale); });
      }
}

/// Softmax attention of so few queries that a product would copy more than it computes: each key and value is read once. o [count, V].
inline void attend_few(int64_t count, int64_t S, int64_t D, int64_t V, float scale, Rows queries, Rows k, Rows v, float* o) {
  std::vector<float> scores(count * S);
#pragma omp parallel for schedule(static)
  for (int64_t s = 0; s < S; ++s)
    for (int64_t n = 0; n < count; ++n) {
      const float *query = queries.data + n * queries.stride, *key = k.data + s * k.stride;
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t d = 0; d < D; ++d) sum += query[d] * key[d];
      scores[n * S + s] = sum;
    }
  for (int64_t n = 0; n < count; ++n) soften(&scores[n * S], S, scale);
  constexpr int64_t kWidth = 1024;  // numbers of a value, for which sums of all queries stay in the first-level cache
#pragma omp parallel for schedule(static)
  for (int64_t begin = 0; begin < V; begin += kWidth) {
    const int64_t width = std::min(kWidth, V - begin);
    for (int64_t n = 0; n < count; ++n) std::fill_n(o + n * V + begin, width, 0.0f);
    int64_t s = 0;
    for (; s + 4 <= S; s += 4)
      for (int64_t n = 0; n < count; ++n) {
        const float *w = &scores[n * S + s], *a = v.data + s * v.stride + begin, *b = a + v.stride, *c = b + v.stride, *d = c + v.stride;
        float* sum = o + n * V + begin;
#pragma omp simd
        for (int64_t i = 0; i < width; ++i) sum[i] += (w[0] * a[i] + w[1] * b[i]) + (w[2] * c[i] + w[3] * d[i]);
      }
    for (; s < S; ++s)
      for (int64_t n = 0; n < count; ++n)
        for (int64_t i = 0; i < width; ++i) o[n * V + begin + i] += scores[n * S + s] * v.data[s * v.stride + begin + i];
  }
}

/// out [rows, outputs] = in [rows, inputs] w + b; the rows of w are `stride` apart.
inline void affine(int64_t rows, int64_t inputs, int64_t outputs, const float* in, Rows w, const float* b, float* out) {
  for (int64_t r = 0; r < rows; ++r) std::copy_n(b, outputs, out + r * outputs);
  product(rows, outputs, inputs, row_major(in, inputs), row_major(w.data, w.stride), out, outputs, true);
}

}  // namespace blocks
