// SPDX-License-Identifier: Apache-2.0
// Bilinear samples of images, whose neighbours outside count as zero. Images are copied into frames of zeros as wide as
// two pixels, so that a point needs no case of its own wherever it lies: what is far outside moves to where all
// neighbours are frame.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace blocks {

constexpr int64_t kFrame = 2;

struct Framed {
  int64_t h, w, row;  ///< height and width of an image, and width with its frame
  std::vector<float> data;

  const float* image(int64_t i) const { return &data[i * (h + 2 * kFrame) * row]; }
};

inline Framed framed(const float* x, int64_t images, int64_t h, int64_t w) {
  Framed y{h, w, w + 2 * kFrame, std::vector<float>(images * (h + 2 * kFrame) * (w + 2 * kFrame))};
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < images; ++i)
    for (int64_t r = 0; r < h; ++r) std::copy_n(x + (i * h + r) * w, w, &y.data[(i * (h + 2 * kFrame) + r + kFrame) * y.row + kFrame]);
  return y;
}

/// Some points: where in an image the upper left neighbour lies, and the weights of all four.
struct Points {
  static constexpr int64_t most = 128;
  int32_t at[most];
  float weight[4][most];

  /// By double, as a pixel's coordinate has fewer digits left than the weight needs. NaN is outside.
  void set(int64_t i, double row, double column, const Framed& x) {
    const double h = static_cast<double>(x.h), w = static_cast<double>(x.w);
    row = row > -2 ? row : -2;
    row = row < h ? row : h;
    column = column > -2 ? column : -2;
    column = column < w ? column : w;
    const int32_t r = static_cast<int32_t>(row + kFrame), c = static_cast<int32_t>(column + kFrame);
    const double down = row + kFrame - r, right = column + kFrame - c;
    at[i] = r * static_cast<int32_t>(x.row) + c;
    weight[0][i] = static_cast<float>((1 - down) * (1 - right));
    weight[1][i] = static_cast<float>((1 - down) * right);
    weight[2][i] = static_cast<float>(down * (1 - right));
    weight[3][i] = static_cast<float>(down * right);
  }

  /// Two neighbours, which one load takes.
  using Pair = uint64_t __attribute__((may_alias, aligned(4)));
  static float left(uint64_t pair) { return std::bit_cast<float>(static_cast<uint32_t>(pair)); }
  static float right(uint64_t pair) { return std::bit_cast<float>(static_cast<uint32_t>(pair >> 32)); }

  /// y[count] = the samples of an image whose rows are `row` apart.
  void sample(const float* image, int64_t row, int64_t count, float* y) const {
#pragma omp simd
    for (int64_t i = 0; i < count; ++i) {
      const uint64_t upper = *reinterpret_cast<const Pair*>(image + at[i]), lower = *reinterpret_cast<const Pair*>(image + at[i] + row);
      y[i] = (weight[0][i] * left(upper) + weight[1][i] * right(upper)) + (weight[2][i] * left(lower) + weight[3][i] * right(lower));
    }
  }
};

}  // namespace blocks
