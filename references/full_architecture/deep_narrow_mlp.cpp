// SPDX-License-Identifier: Apache-2.0
// Rows are independent of each other: a block of them goes through all layers, so that a row of weights is read once for all.
#include <algorithm>
#include <limits>
#include <vector>

#include "kernel.h"

namespace {

constexpr int64_t block = 4;

// Rows [0, rows) of y = x w^T + b, and nothing below `low`.
void linear(const float* x, const float* w, const float* b, float* y, int64_t rows, int64_t I, int64_t O, float low) {
  for (int64_t o = 0; o < O; ++o)
    for (int64_t r = 0; r < rows; ++r) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t i = 0; i < I; ++i) sum += x[r * I + i] * w[o * I + i];
      sum += b[o];
      y[r * O + o] = sum < low ? low : sum;
    }
}

}  // namespace

extern "C" void deep_narrow_mlp(const float* x, const float* w, const float* v, const float* b, const float* head, const float* b_head,
                                float* y, int64_t N, int64_t I, int64_t H, int64_t O) {
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < N; first += block) {
    const int64_t rows = std::min(block, N - first);
    std::vector<float> h(rows * H), z(rows * H);
    linear(x + first * I, w, b, h.data(), rows, I, H, 0);
    for (int64_t layer = 0; layer < 15; ++layer) {
      linear(h.data(), v + layer * H * H, b + (layer + 1) * H, z.data(), rows, H, H, 0);
      std::swap(h, z);
    }
    linear(h.data(), head, b_head, y + first * O, rows, H, O, -std::numeric_limits<float>::infinity());
  }
}
