// SPDX-License-Identifier: Apache-2.0
// `width` samples at a time, transposed: a strip holds one feature of all of them, so joining x and hidden is
// putting the strips of one behind those of the other, and weights are read where they lie, one number for
// all lanes. A tile of `rows` features by two vectors of samples stays in registers through a whole layer's
// sum.
#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

#ifdef __AVX512F__
constexpr int64_t lanes = 16, rows = 12;
#else
constexpr int64_t lanes = 8, rows = 6;  // 12 of the 16 vector registers
#endif
constexpr int64_t width = 2 * lanes;
typedef float vec __attribute__((vector_size(lanes * sizeof(float))));
struct strip {
  vec v[2];
};
using strips = std::vector<strip>;

template <int64_t R>
void tile(const strip* x, const float* w, const float* b, int64_t K, strip* y) {
  vec sum[R][2] = {};
  for (int64_t k = 0; k < K; ++k) {
    for (int64_t r = 0; r < R; ++r) {
      sum[r][0] += w[r * K + k] * x[k].v[0];
      sum[r][1] += w[r * K + k] * x[k].v[1];
    }
  }
  for (int64_t r = 0; r < R; ++r)
    for (int64_t h = 0; h < 2; ++h) y[r].v[h] = sum[r][h] + b[r];
}

strips linear(const strips& x, const float* w, const float* b, int64_t features) {
  int64_t K = static_cast<int64_t>(x.size());
  strips y(features);
  int64_t j = 0;
  for (; j + rows <= features; j += rows) tile<rows>(x.data(), w + j * K, b + j, K, &y[j]);
  for (; j < features; ++j) tile<1>(x.data(), w + j * K, b + j, K, &y[j]);
  return y;
}

// Written out because the compiler cannot vectorise a call of tanhf: a Taylor polynomial near 0, else
// 1 - 2 / (exp(2|x|) + 1), where exp is 2^n times the Taylor polynomial of the rest.
inline float hyperbolic_tangent(float x) {
  constexpr float shift = 0x1.8p23f;  // adding it rounds to an integer, which then stands in the lowest bits
  float a = std::fabs(x);
  a = a > 10.0f ? 10.0f : a;
  float shifted = a * 0x1.715476p1f + shift;
  float n = shifted - shift;
  float r = 2.0f * a - n * 0x1.62e4p-1f - n * 0x1.7f7d1cp-20f;  // ln(2) in two parts
  float p = 1.0f / 5040.0f;
  for (float inverse : {1.0f / 720.0f, 1.0f / 120.0f, 1.0f / 24.0f, 1.0f / 6.0f, 0.5f, 1.0f, 1.0f})
    p = p * r + inverse;
  p *= std::bit_cast<float>((std::bit_cast<uint32_t>(shifted) + 127u) << 23);
  float far = std::copysign(1.0f - 2.0f / (p + 1.0f), x);
  float s = x * x;
  float near =
      x + x * s * (-1.0f / 3.0f + s * (2.0f / 15.0f + s * (-17.0f / 315.0f + s * (62.0f / 2835.0f))));
  return a < 0.25f ? near : far;
}

void transpose_in(const float* x, int64_t count, int64_t H, strip* to) {
  for (int64_t s = 0; s < count; ++s)
    for (int64_t i = 0; i < H; ++i) to[i].v[s / lanes][s % lanes] = x[s * H + i];
}

void transpose_out(const strips& from, int64_t count, float* y) {
  int64_t features = static_cast<int64_t>(from.size());
  for (int64_t s = 0; s < count; ++s)
    for (int64_t i = 0; i < features; ++i) y[s * features + i] = from[i].v[s / lanes][s % lanes];
}

}  // namespace

extern "C" void vanilla_rnn(const float* x, const float* hidden, const float* w_hidden, const float* b_hidden,
                            const float* w_out, const float* b_out, float* y, float* new_hidden, int64_t B,
                            int64_t H, int64_t O) {
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < B; first += width) {
    int64_t count = std::min(width, B - first);
    strips joined(2 * H, strip{});
    transpose_in(x + first * H, count, H, &joined[0]);
    transpose_in(hidden + first * H, count, H, &joined[H]);
    strips state = linear(joined, w_hidden, b_hidden, H);
    for (strip& feature : state)
      for (vec& v : feature.v)
        for (int64_t l = 0; l < lanes; ++l) v[l] = hyperbolic_tangent(v[l]);
    transpose_out(state, count, new_hidden + first * H);
    transpose_out(linear(state, w_out, b_out, O), count, y + first * O);
  }
}
