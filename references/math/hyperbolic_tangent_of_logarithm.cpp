// SPDX-License-Identifier: Apache-2.0
// tanh(log(x)) is (x^2 - 1) / (x^2 + 1), which is 1 long before x^2 overflows.
#include <limits>

#include "kernel.h"

void hyperbolic_tangent_of_logarithm(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    const float v = x[i] > 1e9f ? 1e9f : x[i], of_positive = (v - 1.0f) * (v + 1.0f) / (v * v + 1.0f);
    y[i] = v < 0.0f ? std::numeric_limits<float>::quiet_NaN() : of_positive;
  }
}
