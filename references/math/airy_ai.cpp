// SPDX-License-Identifier: Apache-2.0
// The Maclaurin series in float64. Its two halves cancel for positive x: at 5 by a factor of some 10^7, and 10^-9 is left.
#include <cmath>

#include "kernel.h"

namespace {

double at(double x) {
  const double cube = x * x * x;
  double f = 1, g = x, even = 1, odd = x;
  for (int k = 1; k < 40; ++k) {
    even *= cube / ((3.0 * k - 1) * (3.0 * k));
    odd *= cube / ((3.0 * k) * (3.0 * k + 1));
    f += even;
    g += odd;
  }
  return 0.35502805388781723926 * f - 0.25881940379280679840 * g;
}

}  // namespace

void airy_ai(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) y[i] = static_cast<float>(at(x[i]));
}
