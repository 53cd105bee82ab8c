// SPDX-License-Identifier: Apache-2.0
// `width` samples for each thread pass through all layers before the next ones do, transposed: a strip holds one
// feature of `width` samples. So weights are read where they lie, one number for all lanes, and activations never
// leave the cache. A tile of `rows` features by two vectors of samples stays in registers through a whole layer's
// sum; threads share the tiles of a layer, for there may be fewer samples than would keep all of them busy.
#include <omp.h>

#include <algorithm>
#include <memory>

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

/// `features` of each block of samples, by all threads of a team.
void linear(const strip* x, int64_t K, const float* w, const float* b, int64_t features, bool relu, int64_t blocks, strip* y) {
  const int64_t tiles = (features + rows - 1) / rows;
#pragma omp for collapse(2) schedule(static)
  for (int64_t block = 0; block < blocks; ++block) {
    for (int64_t t = 0; t < tiles; ++t) {
      const strip* from = x + block * K;
      strip* to = y + block * features;
      int64_t j = t * rows;
      if (j + rows <= features) tile<rows>(from, w + j * K, b + j, K, relu, to + j);
      else
        for (; j < features; ++j) tile<1>(from, w + j * K, b + j, K, relu, to + j);
    }
  }
}

}  // namespace

extern "C" void mlp(const float* x, const float* w1, const float* b1, const float* w2, const float* b2,
                    const float* w3, const float* b3, float* y, int64_t B, int64_t I, int64_t H1, int64_t H2,
                    int64_t O) {
  const int64_t all = (B + width - 1) / width, most = std::min<int64_t>(all, omp_get_max_threads());
  const auto strips = [most](int64_t features) { return std::make_unique_for_overwrite<strip[]>(most * features); };
  const auto input = strips(I), first = strips(H1), second = strips(H2), output = strips(O);
#pragma omp parallel
  for (int64_t begin = 0; begin < all; begin += most) {
    const int64_t blocks = std::min(most, all - begin);
#pragma omp for schedule(static)
    for (int64_t block = 0; block < blocks; ++block) {
      for (int64_t s = 0; s < width; ++s) {
        const int64_t sample = (begin + block) * width + s;
        for (int64_t i = 0; i < I; ++i)
          input[block * I + i].v[s / lanes][s % lanes] = sample < B ? x[sample * I + i] : 0;
      }
    }
    linear(input.get(), I, w1, b1, H1, true, blocks, first.get());
    linear(first.get(), H1, w2, b2, H2, true, blocks, second.get());
    linear(second.get(), H2, w3, b3, O, false, blocks, output.get());
#pragma omp for schedule(static)
    for (int64_t sample = begin * width; sample < std::min((begin + blocks) * width, B); ++sample) {
      const int64_t s = sample % width;
      for (int64_t o = 0; o < O; ++o)
        y[sample * O + o] = output[(sample / width - begin) * O + o].v[s / lanes][s % lanes];
    }
  }
}
