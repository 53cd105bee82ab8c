// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include <cmath>

#include "kernel.h"

extern "C" void cross_entropy_smoothed_rows(const float* x, const int64_t* target, float* y, int64_t N, int64_t C) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    const float* row = x + n * C;
    if (target[n] < 0) {
      y[n] = 0;
      continue;
    }
    float largest = -INFINITY, sum = 0, all = 0;
    for (int64_t c = 0; c < C; ++c) largest = row[c] > largest || std::isnan(row[c]) ? row[c] : largest;
#pragma omp simd reduction(+ : all)
    for (int64_t c = 0; c < C; ++c) all += row[c];
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < C; ++c) sum += blocks::exp(row[c] - largest);
    y[n] = largest + blocks::log(sum) - 0.9f * row[target[n]] - 0.1f * (all / static_cast<float>(C));
  }
}
