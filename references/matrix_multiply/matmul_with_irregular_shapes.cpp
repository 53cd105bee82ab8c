// SPDX-License-Identifier: Apache-2.0
// Blocked product: a block of b that fits the second-level cache is packed into panels as wide as two
// vectors, padded with zeros, so the innermost loop has no remainder. Each strip of a few rows of a is packed
// likewise and swept over all panels; its tile of c stays in registers.
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
constexpr int64_t kDepthBlock = 320;
constexpr int64_t kColumnBlock = 640;  // a multiple of kColumns

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

void pack_panel(const float* b, int64_t stride, int64_t depth, int64_t columns, PanelRow* panel) {
  for (int64_t k = 0; k < depth; ++k) {
    PanelRow row = {};
    copy_columns(&row, b + k * stride, columns);
    panel[k] = row;
  }
}

void pack_strip(const float* a, int64_t stride, int64_t rows, int64_t depth, float* strip) {
  for (int64_t r = 0; r < kRows; ++r) {
    // Rows past the end repeat the last one; their results are dropped.
    const float* row = a + std::min(r, rows - 1) * stride;
    for (int64_t k = 0; k < depth; ++k) strip[k * kRows + r] = row[k];
  }
}

void store_tile(const Vector (&tile)[kRows][2], int64_t rows, int64_t columns, bool add, float* c,
                int64_t stride) {
  for (int64_t r = 0; r < rows; ++r, c += stride) {
    PanelRow row = {};
    if (add) copy_columns(&row, c, columns);
    row.v[0] += tile[r][0];
    row.v[1] += tile[r][1];
    copy_columns(c, &row, columns);
  }
}

}  // namespace

extern "C" void matmul_with_irregular_shapes(const float* a, const float* b, float* c, int64_t M, int64_t K,
                                             int64_t N) {
  const int64_t panel_count = (std::min(N, kColumnBlock) + kColumns - 1) / kColumns;
  std::vector<PanelRow> panels(panel_count * std::min(K, kDepthBlock));
  for (int64_t j0 = 0; j0 < N; j0 += kColumnBlock) {
    const int64_t width = std::min(kColumnBlock, N - j0);
    for (int64_t k0 = 0; k0 < K; k0 += kDepthBlock) {
      const int64_t depth = std::min(kDepthBlock, K - k0);
#pragma omp parallel
      {
#pragma omp for
        for (int64_t j = 0; j < width; j += kColumns)
          pack_panel(b + k0 * N + j0 + j, N, depth, std::min<int64_t>(kColumns, width - j),
                     &panels[j / kColumns * depth]);
        float strip[kDepthBlock * kRows];
#pragma omp for
        for (int64_t i = 0; i < M; i += kRows) {
          const int64_t rows = std::min<int64_t>(kRows, M - i);
          pack_strip(a + i * K + k0, K, rows, depth, strip);
          for (int64_t j = 0; j < width; j += kColumns) {
            Vector tile[kRows][2];
            multiply_tile(depth, strip, &panels[j / kColumns * depth], tile);
            store_tile(tile, rows, std::min<int64_t>(kColumns, width - j), k0 > 0, c + i * N + j0 + j, N);
          }
        }
      }
    }
  }
}
