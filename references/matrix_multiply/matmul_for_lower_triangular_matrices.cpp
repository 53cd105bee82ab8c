// SPDX-License-Identifier: Apache-2.0
// c(i, j) only needs the terms j <= k <= i: a sixth of the terms of a full product remain, and half of the
// result is zero without any. Panels of columns of b and strips of rows of a are packed with zeros above the
// diagonal, and each tile runs from its first column to its last row.
#include <algorithm>
#include <cstdint>
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

// A size that the compiler knows is two moves instead of a call.
inline void copy_columns(void* to, const void* from, int64_t columns) {
  if (columns == kColumns)
    std::memcpy(to, from, kColumns * sizeof(float));
  else
    std::memcpy(to, from, columns * sizeof(float));
}

// tile = strip * panel, sums of `depth` terms.
inline void multiply_tile(int64_t depth, const float* strip, const PanelRow* panel,
                          Vector (&tile)[kRows][2]) {
  Vector sum[kRows][2] = {};
  for (int64_t k = 0; k < depth; ++k, strip += kRows) {
    const Vector left = panel[k].v[0];
    const Vector right = panel[k].v[1];
#pragma GCC unroll 12
    for (int r = 0; r < kRows; ++r) {
      sum[r][0] += strip[r] * left;
      sum[r][1] += strip[r] * right;
    }
  }
#pragma GCC unroll 12
  for (int r = 0; r < kRows; ++r) {
    tile[r][0] = sum[r][0];
    tile[r][1] = sum[r][1];
  }
}

// Panel of columns [j, j + kColumns), its rows from j on.
void pack_panel(const float* b, int64_t N, int64_t j, PanelRow* panel) {
  for (int64_t k = j; k < N; ++k) {
    PanelRow row = {};
    const int64_t columns = std::min<int64_t>(kColumns, k - j + 1);
    copy_columns(&row, b + k * N + j, columns);
    panel[k - j] = row;
  }
}

// Strip of rows [i, i + rows), its columns up to the last row's diagonal, k-major.
void pack_strip(const float* a, int64_t N, int64_t i, int64_t rows, float* strip) {
  std::fill(strip, strip + (i + rows) * kRows, 0.0f);
  for (int64_t r = 0; r < rows; ++r) {
    const float* row = a + (i + r) * N;
    for (int64_t k = 0; k <= i + r; ++k) strip[k * kRows + r] = row[k];
  }
}

// Number of packed rows before the panel that starts at column j.
int64_t panel_offset(int64_t N, int64_t j) {
  const int64_t before = j / kColumns;
  return before * N - kColumns * before * (before - 1) / 2;
}

}  // namespace

extern "C" void matmul_for_lower_triangular_matrices(const float* a, const float* b, float* c, int64_t N) {
  const int64_t last = (N - 1) / kColumns * kColumns;
  std::vector<PanelRow> panels(panel_offset(N, last) + N - last);
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (int64_t j = 0; j < N; j += kColumns) pack_panel(b, N, j, &panels[panel_offset(N, j)]);
    std::vector<float> strip(N * kRows);
    // Long strips first: the short ones even out the threads' loads at the end.
#pragma omp for schedule(dynamic)
    for (int64_t i = (N - 1) / kRows * kRows; i >= 0; i -= kRows) {
      const int64_t rows = std::min<int64_t>(kRows, N - i);
      pack_strip(a, N, i, rows, strip.data());
      for (int64_t j = 0; j < N; j += kColumns) {
        const int64_t columns = std::min<int64_t>(kColumns, N - j);
        Vector tile[kRows][2] = {};
        if (j < i + rows)
          multiply_tile(i + rows - j, strip.data() + j * kRows, &panels[panel_offset(N, j)], tile);
        for (int64_t r = 0; r < rows; ++r) copy_columns(c + (i + r) * N + j, tile[r], columns);
      }
    }
  }
}
