// SPDX-License-Identifier: Apache-2.0
// The convolution as a product of matrices first, then its volumes one by one.
// Pairs of whole pairs are whole windows of four, and what lies in no whole window is left out.
#include "blocks/vector_math.h"

#include "blocks/convolution.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

/// `count` neighbouring softmaxes, each over O numbers that are `stride` apart.
void softmax(float* z, int64_t O, int64_t stride, int64_t count) {
  std::vector<float> top(z, z + count), sum(count);
  for (int64_t o = 1; o < O; ++o)
    for (int64_t i = 0; i < count; ++i) top[i] = std::max(top[i], z[o * stride + i]);
  for (int64_t o = 0; o < O; ++o)
    for (int64_t i = 0; i < count; ++i) sum[i] += z[o * stride + i] = blocks::exp(z[o * stride + i] - top[i]);
  for (int64_t o = 0; o < O; ++o)
    for (int64_t i = 0; i < count; ++i) z[o * stride + i] /= sum[i];
}

/// The largest of each window of P by P by P, side by side, of P slices of P OH by P OW: [OH, OW].
void max_pool(const float* z, int64_t P, int64_t OH, int64_t OW, float* y) {
  for (int64_t h = 0; h < OH; ++h) {
    std::vector<float> columns(P * OW, -INFINITY);
    for (int64_t p = 0; p < P * P; ++p) {
      const float* from = z + (p / P * P * OH + h * P + p % P) * P * OW;
      for (int64_t i = 0; i < P * OW; ++i) columns[i] = std::max(columns[i], from[i]);
    }
    for (int64_t i = 0; i < OW; ++i) y[h * OW + i] = *std::max_element(&columns[i * P], &columns[i * P] + P);
  }
}

}  // namespace

extern "C" void conv3d_softmax_max_pool_max_pool(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t D,
                                                 int64_t H, int64_t W, int64_t O) {
  constexpr int64_t P = 4;
  const int64_t OD = (D - 2) / P, OH = (H - 2) / P, OW = (W - 2) / P, slices = P * P * P * OH * OW, size = OD * slices;
  std::vector<float> z(N * O * size);
  blocks::convolve({.N = N, .C = C, .O = O, .depth = {D, 3, P * OD}, .height = {H, 3, P * OH}, .width = {W, 3, P * OW}}, x, w, b, z.data());
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t d = 0; d < OD; ++d) {
      softmax(&z[n * O * size + d * slices], O, size, slices);
      for (int64_t plane = n * O; plane < (n + 1) * O; ++plane)
        max_pool(&z[plane * size + d * slices], P, OH, OW, y + (plane * OD + d) * OH * OW);
    }
}
