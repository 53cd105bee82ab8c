// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include <cmath>
#include <vector>

#include "kernel.h"

void standard_deviation_of_gelu(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    std::vector<float> active(C);
    double sum = 0, squares = 0;
    for (int64_t c = 0; c < C; ++c) {
      const float v = x[n * C + c];
      active[c] = 0.5f * v * (1 + blocks::erf(v / 1.4142135f));
      sum += active[c];
    }
    const float mean = static_cast<float>(sum / static_cast<double>(C));
    for (const float v : active) squares += static_cast<double>(v - mean) * (v - mean);
    y[n] = static_cast<float>(std::sqrt(squares / static_cast<double>(C - 1)));
  }
}
