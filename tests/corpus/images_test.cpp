// SPDX-License-Identifier: Apache-2.0
// references/blocks/bilinear.h and transpose.h against what they say of themselves.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "blocks/bilinear.h"
#include "blocks/transpose.h"

namespace {

/// Of an image whose outside is zero.
double sampled(const std::vector<float>& x, int64_t h, int64_t w, double row, double column) {
  const auto at = [&](double r, double c) { return !(r >= 0 && c >= 0 && r < h && c < w) ? 0.0 : x[static_cast<std::size_t>(r * w + c)]; };
  const double r = std::floor(row), c = std::floor(column), down = row - r, right = column - c;
  return (1 - down) * ((1 - right) * at(r, c) + right * at(r, c + 1)) + down * ((1 - right) * at(r + 1, c) + right * at(r + 1, c + 1));
}

TEST(Bilinear, SamplesInsideAndOutside) {
  constexpr int64_t h = 5, w = 7;
  std::vector<float> x(2 * h * w);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i + 1);
  const std::vector<float> second(x.begin() + h * w, x.end());
  const blocks::Framed framed = blocks::framed(x.data(), 2, h, w);
  const auto points = std::make_unique<blocks::Points>();
  std::vector<double> expected;
  const auto ask = [&](double row, double column) {
    points->set(static_cast<int64_t>(expected.size()), row, column, framed);
    expected.push_back(!std::isfinite(row) || !std::isfinite(column) ? 0 : sampled(second, h, w, row, column));
  };
  for (const double row : {-9.0, -1.0, -0.25, 0.0, 2.5, 4.0, 4.75, 5.0, 1e30})
    for (const double column : {-1e30, -1.5, -0.5, 0.0, 3.125, 6.0, 6.5, 7.0, 40.0}) ask(row, column);
  ask(std::numeric_limits<double>::quiet_NaN(), 1);
  ask(std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity());
  std::vector<float> y(expected.size());
  points->sample(framed.image(1), framed.row, static_cast<int64_t>(y.size()), y.data());
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], expected[i], 1e-4) << i;
}

TEST(Transpose, MovesEachElementOfATile) {
  constexpr int64_t tile = blocks::kTile, pitch = tile + 3;
  std::vector<float> x(tile * pitch), y(tile * tile);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  blocks::transpose_tile(x.data(), pitch, y.data(), tile);
  for (int64_t i = 0; i < tile; ++i)
    for (int64_t j = 0; j < tile; ++j) EXPECT_EQ(y[j * tile + i], x[i * pitch + j]);
}

}  // namespace
