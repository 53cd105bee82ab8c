// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void scaled_add_norm(const float* x, const float* y, float* sum, float* length, int64_t N) {
  double squares = 0.0;
#pragma omp parallel for simd reduction(+ : squares) schedule(static)
  for (int64_t i = 0; i < N; ++i) {
    const float s = y[i] + 2.0f * x[i];
    sum[i] = s;
    squares += static_cast<double>(s) * s;
  }
  length[0] = static_cast<float>(std::sqrt(squares));
}
