// SPDX-License-Identifier: Apache-2.0
// c = a b of float32, each of a and b row-major, transposed or with any other strides. A block of b that fits the second-level cache is
// packed into panels as wide as two vectors, padded with zeros, so the innermost loop has no remainder. Each strip of a few rows of a is
// packed likewise and swept over all panels; its tile of c stays in registers (Goto and van de Geijn, "Anatomy of High-Performance Matrix
// Multiplication", ACM TOMS 34, 2008).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace blocks {

#ifdef __AVX512F__
constexpr int kLanes = 16, kRows = 12;
#else
constexpr int kLanes = 8, kRows = 6;
#endif
constexpr int kColumns = 2 * kLanes;
constexpr int64_t kDepthBlock = 320;
constexpr int64_t kColumnBlock = 640;  // a multiple of kColumns
constexpr int64_t kThin = 4 * kRows;   // rows

/// Element (i, j) is data[i * row + j * column].
struct Strided {
  const float* data;
  int64_t row, column;
};

inline Strided row_major(const float* data, int64_t columns) { return {data, columns, 1}; }
inline Strided transposed(const float* data, int64_t rows) { return {data, 1, rows}; }

using Vector = float __attribute__((vector_size(kLanes * sizeof(float))));
struct alignas(64) PanelRow {
  Vector v[2];
};

// A size that the compiler knows is two moves instead of a call.
inline void copy_columns(void* to, const void* from, int64_t columns) {
  std::memcpy(to, from, columns == kColumns ? kColumns * sizeof(float) : columns * sizeof(float));
}

/// tile = strip * rows, sums of `depth` terms; row(k) are kColumns numbers.
template <int Rows, class Row>
void multiply_rows(int64_t depth, const float* strip, Row&& row, Vector (&tile)[kRows][2]) {
  Vector sum[Rows][2] = {};
  for (int64_t k = 0; k < depth; ++k, strip += Rows) {
    const float* from = row(k);
    Vector left, right;
    std::memcpy(&left, from, sizeof left);
    std::memcpy(&right, from + kLanes, sizeof right);
#pragma GCC unroll 12
    for (int r = 0; r < Rows; ++r) {
      sum[r][0] += strip[r] * left;
      sum[r][1] += strip[r] * right;
    }
  }
#pragma GCC unroll 12
  for (int r = 0; r < Rows; ++r) {
    tile[r][0] = sum[r][0];
    tile[r][1] = sum[r][1];
  }
}

/// The same where the rows lie one behind the other.
template <int Rows>
void multiply_tile(int64_t depth, const float* strip, const PanelRow* panel, Vector (&tile)[kRows][2]) {
  multiply_rows<Rows>(
      depth, strip, [panel](int64_t k) { return reinterpret_cast<const float*>(panel + k); }, tile);
}

/// use<Rows>() with as many rows to a tile as leave fewest of its rows unused.
template <class Use>
void with_rows(int64_t M, Use&& use) {
  constexpr int third = kRows / 3;
  const auto padded = [M](int64_t rows) { return (M + rows - 1) / rows * rows; };
  if (M <= third) use.template operator()<third>();
  else if (padded(2 * third) < padded(kRows)) use.template operator()<2 * third>();
  else use.template operator()<kRows>();
}

inline void pack_panel(Strided b, int64_t depth, int64_t columns, PanelRow* panel) {
  if (b.column == 1) {
    for (int64_t k = 0; k < depth; ++k) {
      panel[k] = {};
      copy_columns(&panel[k], b.data + k * b.row, columns);
    }
    return;
  }
  if (columns < kColumns) std::memset(static_cast<void*>(panel), 0, depth * sizeof *panel);
  float* to = reinterpret_cast<float*>(panel);
  for (int64_t j = 0; j < columns; ++j)
    for (int64_t k = 0; k < depth; ++k) to[k * kColumns + j] = b.data[k * b.row + j * b.column];
}

/// Rows past the end repeat the last one; their results are dropped.
template <int Rows>
void pack_strip(Strided a, int64_t rows, int64_t depth, float* strip) {
  if (a.row == 1 && rows == Rows) {
    for (int64_t k = 0; k < depth; ++k) std::copy_n(a.data + k * a.column, Rows, strip + k * Rows);
    return;
  }
  for (int64_t r = 0; r < Rows; ++r) {
    const float* row = a.data + std::min(r, rows - 1) * a.row;
    for (int64_t k = 0; k < depth; ++k) strip[k * Rows + r] = row[k * a.column];
  }
}

inline void store_tile(const Vector (&tile)[kRows][2], int64_t rows, int64_t columns, bool add, float* c, int64_t stride) {
  for (int64_t r = 0; r < rows; ++r, c += stride) {
    PanelRow row = {};
    if (add) copy_columns(&row, c, columns);
    row.v[0] += tile[r][0];
    row.v[1] += tile[r][1];
    copy_columns(c, &row, columns);
  }
}

/// A block of b in panels, and where its products go.
struct Block {
  const PanelRow* panels;
  int64_t depth, columns;
  float* c;
  int64_t stride;
  bool add;
};

/// Strips of `Rows` rows of a times the block; by all threads of a team.
template <int Rows>
void multiply_block(int64_t M, Strided a, const Block& b) {
  alignas(64) float strip[kDepthBlock * Rows];
#pragma omp for schedule(static)
  for (int64_t i = 0; i < M; i += Rows) {
    const int64_t rows = std::min<int64_t>(Rows, M - i);
    pack_strip<Rows>({a.data + i * a.row, a.row, a.column}, rows, b.depth, strip);
    for (int64_t j = 0; j < b.columns; j += kColumns) {
      Vector tile[kRows][2];
      multiply_tile<Rows>(b.depth, strip, &b.panels[j / kColumns * b.depth], tile);
      store_tile(tile, rows, std::min<int64_t>(kColumns, b.columns - j), b.add, b.c + i * b.stride + j, b.stride);
    }
  }
}

/// Of few rows, which threads could not share: all are packed before, and each thread takes columns of b, a panel at a time.
template <int Rows, class Pack>
void thin_product(int64_t M, int64_t N, int64_t K, Strided a, Pack&& pack, float* c, int64_t stride, bool add) {
  const int64_t strips = (M + Rows - 1) / Rows;
  std::vector<float> packed(strips * Rows * K);
  const auto strip_of = [&](int64_t s, int64_t k) { return &packed[(k * strips + s * std::min(kDepthBlock, K - k)) * Rows]; };
  for (int64_t k = 0; k < K; k += kDepthBlock)
    for (int64_t s = 0; s < strips; ++s) {
      const Strided from{a.data + s * Rows * a.row + k * a.column, a.row, a.column};
      pack_strip<Rows>(from, std::min<int64_t>(Rows, M - s * Rows), std::min(kDepthBlock, K - k), strip_of(s, k));
    }
  const int64_t width = std::clamp<int64_t>(N / (64 * kColumns), 1, 8) * kColumns;  // long stretches of a row of c at a time
#pragma omp parallel
  {
    std::vector<PanelRow> panels(width / kColumns * std::min(K, kDepthBlock));
#pragma omp for schedule(static)
    for (int64_t begin = 0; begin < N; begin += width) {
      const int64_t end = std::min(N, begin + width);
      for (int64_t k = 0; k < K; k += kDepthBlock) {
        const int64_t depth = std::min(kDepthBlock, K - k);
        const auto panel_of = [&](int64_t j) { return &panels[(j - begin) / kColumns * depth]; };
        for (int64_t j = begin; j < end; j += kColumns) pack(k, depth, j, std::min<int64_t>(kColumns, end - j), panel_of(j));
        for (int64_t s = 0; s < strips; ++s)
          for (int64_t j = begin; j < end; j += kColumns) {
            Vector tile[kRows][2];
            multiply_tile<Rows>(depth, strip_of(s, k), panel_of(j), tile);
            const int64_t rows = std::min<int64_t>(Rows, M - s * Rows);
            store_tile(tile, rows, std::min<int64_t>(kColumns, end - j), add || k > 0, c + s * Rows * stride + j, stride);
          }
      }
    }
  }
}

/// c[M, N], whose rows are `stride` apart, = a[M, K] b[K, N], or += it; by all threads, or by one where it is called in a parallel region.
/// pack(k, depth, j, columns, panel) writes b from (k, j) on, `columns` at most kColumns; columns past them hold what they like.
template <class Pack>
void packed_product(int64_t M, int64_t N, int64_t K, Strided a, Pack&& pack, float* c, int64_t stride, bool add) {
  if (K == 0 && !add)
    for (int64_t i = 0; i < M; ++i) std::fill_n(c + i * stride, N, 0.0f);
  if (M <= kThin) return with_rows(M, [&]<int Rows>() { thin_product<Rows>(M, N, K, a, pack, c, stride, add); });
  std::vector<PanelRow> panels((std::min(N, kColumnBlock) + kColumns - 1) / kColumns * std::min(K, kDepthBlock));
  for (int64_t j0 = 0; j0 < N; j0 += kColumnBlock) {
    const int64_t width = std::min(kColumnBlock, N - j0);
    for (int64_t k0 = 0; k0 < K; k0 += kDepthBlock) {
      const Block block{panels.data(), std::min(kDepthBlock, K - k0), width, c + j0, stride, add || k0 > 0};
      const Strided from{a.data + k0 * a.column, a.row, a.column};
#pragma omp parallel
      {
#pragma omp for schedule(static)
        for (int64_t j = 0; j < width; j += kColumns)
          pack(k0, block.depth, j0 + j, std::min<int64_t>(kColumns, width - j), &panels[j / kColumns * block.depth]);
        with_rows(M, [&]<int Rows>() { multiply_block<Rows>(M, from, block); });
      }
    }
  }
}

inline void product(int64_t M, int64_t N, int64_t K, Strided a, Strided b, float* c, int64_t stride, bool add = false) {
  const auto pack = [b](int64_t k, int64_t depth, int64_t j, int64_t columns, PanelRow* panel) {
    pack_panel({b.data + k * b.row + j * b.column, b.row, b.column}, depth, columns, panel);
  };
  packed_product(M, N, K, a, pack, c, stride, add);
}

}  // namespace blocks
