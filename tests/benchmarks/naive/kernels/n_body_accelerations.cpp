// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void n_body_accelerations(const float* positions, const float* masses, float* accelerations, int64_t N) {
#pragma omp parallel for
  for (int64_t i = 0; i < N; ++i) {
    float sum[3] = {0, 0, 0};
    for (int64_t j = 0; j < N; ++j) {
      float d[3], square = 0.01f;
      for (int64_t axis = 0; axis < 3; ++axis) {
        d[axis] = positions[j * 3 + axis] - positions[i * 3 + axis];
        square += d[axis] * d[axis];
      }
      for (int64_t axis = 0; axis < 3; ++axis) sum[axis] += masses[j] * d[axis] / std::pow(square, 1.5f);
    }
    for (int64_t axis = 0; axis < 3; ++axis) accelerations[i * 3 + axis] = sum[axis];
  }
}
