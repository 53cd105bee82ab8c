// SPDX-License-Identifier: Apache-2.0
// Transposition of float32 by square tiles that stay in registers: both sides are read and written in whole cache
// lines.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

namespace blocks {

#ifdef __AVX512F__
constexpr int kTile = 16;
#else
constexpr int kTile = 8;
#endif

using TileRow = float __attribute__((vector_size(kTile * sizeof(float))));
using TileMask = int __attribute__((vector_size(kTile * sizeof(int))));

/// Exchanges the upper right and the lower left quarter of each square of 2 `Step` rows.
template <int Step, int... J>
void exchange(TileRow (&tile)[kTile], std::integer_sequence<int, J...>) {
  constexpr TileMask left = {((J & Step) != 0 ? kTile + J - Step : J)...}, right = {((J & Step) != 0 ? kTile + J : J + Step)...};
#pragma GCC unroll 16
  for (int i = 0; i < kTile; ++i) {
    if ((i & Step) != 0) continue;
    const TileRow upper = tile[i], lower = tile[i + Step];
    tile[i] = __builtin_shuffle(upper, lower, left);
    tile[i + Step] = __builtin_shuffle(upper, lower, right);
  }
}

/// y[j, i] = x[i, j] of a square of kTile rows, which are x_stride and y_stride apart.
inline void transpose_tile(const float* x, int64_t x_stride, float* y, int64_t y_stride) {
  TileRow tile[kTile];
  constexpr std::make_integer_sequence<int, kTile> all;
#pragma GCC unroll 16
  for (int i = 0; i < kTile; ++i) std::memcpy(&tile[i], x + i * x_stride, sizeof tile[i]);
  if constexpr (kTile == 16) exchange<8>(tile, all);
  exchange<4>(tile, all);
  exchange<2>(tile, all);
  exchange<1>(tile, all);
#pragma GCC unroll 16
  for (int i = 0; i < kTile; ++i) std::memcpy(y + i * y_stride, &tile[i], sizeof tile[i]);
}

}  // namespace blocks
