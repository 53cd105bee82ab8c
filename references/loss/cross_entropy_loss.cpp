// SPDX-License-Identifier: Apache-2.0
// Row by row: the maximum, then the sum of the exponentials, while the row is in cache; nothing is stored.
// The rows' losses are added in double.
#include "blocks/vector_math.h"

#include <cmath>
#include <limits>

#include "kernel.h"

extern "C" void cross_entropy_loss(const float* x, const int64_t* target, float* y, int64_t N, int64_t C) {
  double total = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : total)
  for (int64_t n = 0; n < N; ++n) {
    const float* row = x + n * C;
    float highest = -std::numeric_limits<float>::infinity();
#pragma omp simd reduction(max : highest)
    for (int64_t c = 0; c < C; ++c) highest = row[c] > highest ? row[c] : highest;
    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < C; ++c) sum += blocks::exp(row[c] - highest);
    total += std::log(static_cast<double>(sum)) - (static_cast<double>(row[target[n]]) - highest);
  }
  *y = static_cast<float>(total / static_cast<double>(N));
}
