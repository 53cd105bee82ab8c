// SPDX-License-Identifier: Apache-2.0
// `width` samples pass through all layers before the next ones do, transposed: a strip holds one feature of
// all of them. So weights are read where they lie, one number for all lanes, and activations never leave the
// cache. A tile of `rows` features by two vectors of samples stays in registers through a whole layer's sum.
#include <algorithm>
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
void tile(const strip* x, const float* w, const float* b, int64_t K, bool relu, strip* y) {
  vec sum[R][2] = {};
  for (int64_t k = 0; k < K; ++k) {
    for (int64_t r = 0; r < R; ++r) {
      sum[r][0] += w[r * K + k] * x[k].v[0];
      sum[r][1] += w[r * K + k] * x[k].v[1];
    }
  }
  for (int64_t r = 0; r < R; ++r) {
    for (int64_t h = 0; h < 2; ++h) {
      vec v = sum[r][h] + b[r];
      y[r].v[h] = relu ? (v < 0.0f ? vec{} : v) : v;
    }
  }
}

strips linear(const strips& x, const float* w, const float* b, int64_t features, bool relu) {
  int64_t K = static_cast<int64_t>(x.size());
  strips y(features);
  int64_t j = 0;
  for (; j + rows <= features; j += rows) tile<rows>(x.data(), w + j * K, b + j, K, relu, &y[j]);
  for (; j < features; ++j) tile<1>(x.data(), w + j * K, b + j, K, relu, &y[j]);
  return y;
}

}  // namespace

extern "C" void mlp(const float* x, const float* w1, const float* b1, const float* w2, const float* b2,
                    const float* w3, const float* b3, float* y, int64_t B, int64_t I, int64_t H1, int64_t H2,
                    int64_t O) {
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < B; first += width) {
    int64_t count = std::min(width, B - first);
    strips input(I, strip{});
    for (int64_t s = 0; s < count; ++s)
      for (int64_t i = 0; i < I; ++i) input[i].v[s / lanes][s % lanes] = x[(first + s) * I + i];
    strips hidden = linear(linear(input, w1, b1, H1, true), w2, b2, H2, true);
    strips output = linear(hidden, w3, b3, O, false);
    for (int64_t s = 0; s < count; ++s)
      for (int64_t o = 0; o < O; ++o) y[(first + s) * O + o] = output[o].v[s / lanes][s % lanes];
  }
}
