// SPDX-License-Identifier: Apache-2.0
// Both norms in one pass, their squares as doubles.
#include <cmath>

#include "kernel.h"

namespace {

float direction(float m, float v) { return m / (std::sqrt(v) + 1e-6f); }

}  // namespace

void lamb_in_place(float* param, const float* m, const float* v, int64_t N) {
  double param_square = 0, direction_square = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : param_square, direction_square)
  for (int64_t i = 0; i < N; ++i) {
    const double d = direction(m[i], v[i]);
    param_square += static_cast<double>(param[i]) * param[i];
    direction_square += d * d;
  }
  const float rate = 0.001f * static_cast<float>(std::sqrt(param_square)) / (static_cast<float>(std::sqrt(direction_square)) + 1e-6f);
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N; ++i) param[i] -= rate * direction(m[i], v[i]);
}
