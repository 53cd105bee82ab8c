// SPDX-License-Identifier: Apache-2.0
// Where an element of x may count: float32 roundings decide near a border.
#pragma once

#include <assay/oracle/harness.h>

#include <algorithm>

struct Bins {
  double low, high;
  std::int64_t count;

  bool hold(double x) const { return x >= low && x <= high; }

  /// The bin of x, after its place is moved by `roundings` of float32.
  std::int64_t of(double x, double roundings) const {
    constexpr double kRounding = 0x1p-24;
    const double scale = static_cast<double>(count) / (high - low);
    const double size = (std::abs(x) + std::abs(low) + std::abs(high)) * scale;
    const double place = (x - low) * scale + roundings * kRounding * size;
    return std::clamp(static_cast<std::int64_t>(std::floor(place)), std::int64_t{0}, count - 1);
  }
};

inline Bins bins_of(assay::harness::Inputs& inputs, std::size_t count) {
  return {inputs["low"].reals()[0], inputs["high"].reals()[0], static_cast<std::int64_t>(count)};
}
