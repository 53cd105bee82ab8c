// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void stencil_2d_13_point(const float* x, const float* weights, float* y, int64_t H, int64_t W) {
  constexpr int64_t radius = 3;
  const int64_t pitch = W + 2 * radius;
  const float w0 = weights[0], w1 = weights[1], w2 = weights[2], w3 = weights[3];
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < H; ++i) {
    const float* row = x + (i + radius) * pitch + radius;
    const auto ring = [=](int64_t j, int64_t k) { return (row[j - k * pitch] + row[j + k * pitch]) + (row[j - k] + row[j + k]); };
#pragma omp simd
    for (int64_t j = 0; j < W; ++j) y[i * W + j] = w0 * row[j] + w1 * ring(j, 1) + w2 * ring(j, 2) + w3 * ring(j, 3);
  }
}
