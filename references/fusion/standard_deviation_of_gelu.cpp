// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include <cmath>
#include <vector>

#include "kernel.h"

void standard_deviation_of_gelu(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel
  {
    std::vector<float> active(C);
#pragma omp for schedule(static)
    for (int64_t n = 0; n < N; ++n) {
      double sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t c = 0; c < C; ++c) {
        const float v = x[n * C + c];
        active[c] = 0.5f * v * (1.0f + blocks::erf(v * 0.70710678118654752f));
        sum += active[c];
      }
      const double mean = sum / static_cast<double>(C);
#pragma omp simd reduction(+ : squares)
      for (int64_t c = 0; c < C; ++c) squares += (active[c] - mean) * (active[c] - mean);
      y[n] = static_cast<float>(std::sqrt(squares / static_cast<double>(C - 1)));
    }
  }
}
