// SPDX-License-Identifier: Apache-2.0
// w is packed into panels as wide as two vectors. Each strip of a few rows of x is packed likewise and swept over all
// panels; its tile of y stays in registers over the whole depth.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "kernel.h"

namespace {

#ifdef __AVX512F__
constexpr int kLanes = 16;
constexpr int kRows = 12;
#else
constexpr int kLanes = 8;
constexpr int kRows = 6;
#endif
constexpr int kColumns = 2 * kLanes;

using Vector = float __attribute__((vector_size(kLanes * sizeof(float))));
struct alignas(64) PanelRow {
  Vector v[2];
};
using Tile = Vector[kRows][2];

float tail(float z) {
  return 2.0f * (z / (1.0f + std::exp(-z)));
}

// Rows past the end keep what they hold: their results are dropped.
void pack(const float* from, int64_t rows, int64_t width, int64_t depth, float* to) {
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t k = 0; k < depth; ++k) to[k * width + row] = from[row * depth + k];
}

// tile = strip * panel
inline void multiply_tile(int64_t depth, const float* strip, const PanelRow* panel, Tile& tile) {
  Tile sum = {};
  for (int64_t k = 0; k < depth; ++k, strip += kRows) {
    const Vector left = panel[k].v[0], right = panel[k].v[1];
#pragma GCC unroll 12
    for (int r = 0; r < kRows; ++r) {
      sum[r][0] += strip[r] * left;
      sum[r][1] += strip[r] * right;
    }
  }
  std::memcpy(tile, sum, sizeof tile);
}

}  // namespace

extern "C" void matmul_swish_scaling(const float* x, const float* w, const float* b, float* y, int64_t M, int64_t K, int64_t N) {
  const int64_t panel_count = (N + kColumns - 1) / kColumns;
  std::vector<PanelRow> panels(panel_count * K);
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int64_t j = 0; j < panel_count; ++j)
      pack(w + j * kColumns * K, std::min<int64_t>(kColumns, N - j * kColumns), kColumns, K, reinterpret_cast<float*>(&panels[j * K]));
    std::vector<float> strip(kRows * K);
#pragma omp for schedule(static)
    for (int64_t m = 0; m < M; m += kRows) {
      const int64_t rows = std::min<int64_t>(kRows, M - m);
      pack(x + m * K, rows, kRows, K, strip.data());
      for (int64_t j = 0; j < panel_count; ++j) {
        Tile tile;
        multiply_tile(K, strip.data(), &panels[j * K], tile);
        for (int64_t row = 0; row < rows; ++row)
          for (int64_t n = j * kColumns; n < std::min(N, (j + 1) * kColumns); ++n)
            y[(m + row) * N + n] = tail(tile[row][n / kLanes % 2][n % kLanes] + b[n]);
      }
    }
  }
}
