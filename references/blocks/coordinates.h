// SPDX-License-Identifier: Apache-2.0
// Points taken apart, so that a loop over them runs over vectors of each coordinate.
#pragma once

#include <cstdint>
#include <vector>

namespace blocks {

struct Coordinates {
  std::vector<float> numbers;
  const float *x, *y, *z;

  /// Of points [N, 3].
  Coordinates(const float* points, int64_t N) : numbers(3 * N), x(numbers.data()), y(x + N), z(y + N) {
    for (int64_t i = 0; i < N; ++i)
      for (int64_t axis = 0; axis < 3; ++axis) numbers[axis * N + i] = points[3 * i + axis];
  }
  Coordinates(const Coordinates&) = delete;
};

}  // namespace blocks
