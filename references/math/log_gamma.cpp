// SPDX-License-Identifier: Apache-2.0
// Recurrence up to 8, from there Stirling's series, in float64: near the zeros 1 and 2 float32 would lose all digits.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

double at(double x) {
  double product = 1;
  for (; x < 8; ++x) product *= x;
  const double r = 1 / (x * x), series = (1.0 / 12 - r * (1.0 / 360 - r * (1.0 / 1260 - r / 1680))) / x;
  return (x - 0.5) * std::log(x) - x + 0.91893853320467274178 + series - std::log(product);
}

}  // namespace

void log_gamma(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) y[i] = static_cast<float>(at(x[i]));
}
