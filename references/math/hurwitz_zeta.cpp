// SPDX-License-Identifier: Apache-2.0
// Ten terms, and the rest by Euler-Maclaurin summation, in float64.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

double at(double x, double q) {
  double sum = 0;
  for (int k = 0; k < 10; ++k) sum += std::pow(k + q, -x);
  const double end = q + 10, power = std::pow(end, -x), r = 1 / (end * end);
  const double first = x * power / end, third = first * (x + 1) * (x + 2) * r, fifth = third * (x + 3) * (x + 4) * r;
  return sum + power * end / (x - 1) + 0.5 * power + first / 12 - third / 720 + fifth / 30240;
}

}  // namespace

void hurwitz_zeta(const float* x, const float* q, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) y[i] = static_cast<float>(at(x[i], q[i]));
}
