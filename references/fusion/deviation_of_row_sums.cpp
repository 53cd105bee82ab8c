// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void deviation_of_row_sums(const float* x, float* y, int64_t N, int64_t C) {
  std::vector<float> sums(N);
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < C; ++c) sum += x[n * C + c];
    sums[n] = sum;
  }
  float all = 0, squares = 0;
  for (const float sum : sums) all += sum;
  const float mean = all / static_cast<float>(N);
  for (const float sum : sums) squares += (sum - mean) * (sum - mean);
  *y = std::sqrt(squares / static_cast<float>(N - 1));
}
