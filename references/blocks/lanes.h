// SPDX-License-Identifier: Apache-2.0
// kTile rows side by side, so that what is done to each of them alike takes vectors: element j of row i becomes lane i of to(j).
#pragma once

#include "blocks/transpose.h"

#include <algorithm>

namespace blocks {

/// `to(j)`: where the kTile numbers of element j begin. Lanes from `rows` on stay as they are.
template <class To>
void to_lanes(const float* x, int64_t stride, int64_t rows, int64_t length, To to) {
  int64_t j = 0;
  for (; rows == kTile && j + kTile <= length; j += kTile) {
    float square[kTile * kTile];
    transpose_tile(x + j, stride, square, kTile);
    for (int64_t i = 0; i < kTile; ++i) std::copy_n(square + i * kTile, kTile, to(j + i));
  }
  for (; j < length; ++j)
    for (int64_t i = 0; i < rows; ++i) to(j)[i] = x[i * stride + j];
}

/// The way back.
template <class From>
void from_lanes(From from, int64_t rows, int64_t length, float* y, int64_t stride) {
  int64_t j = 0;
  for (; rows == kTile && j + kTile <= length; j += kTile) {
    float square[kTile * kTile];
    for (int64_t i = 0; i < kTile; ++i) std::copy_n(from(j + i), kTile, square + i * kTile);
    transpose_tile(square, kTile, y + j, stride);
  }
  for (; j < length; ++j)
    for (int64_t i = 0; i < rows; ++i) y[i * stride + j] = from(j)[i];
}

}  // namespace blocks
