// SPDX-License-Identifier: Apache-2.0
// The power series in (x / 2)^2, in float64: all its terms are positive.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

double at(double x) {
  const double q = x * x / 4;
  double term = 1, sum = 1;
  for (int k = 1; k < 60 && term > 1e-12 * sum; ++k) {
    term *= q / (static_cast<double>(k) * k);
    sum += term;
  }
  return sum;
}

}  // namespace

void modified_bessel_i0(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) y[i] = static_cast<float>(at(x[i]));
}
