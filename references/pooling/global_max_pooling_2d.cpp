// SPDX-License-Identifier: Apache-2.0
#pragma GCC optimize("no-trapping-math")  // a selection is a maximum of vectors

#include "kernel.h"

void global_max_pooling_2d(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W) {
  const int64_t size = H * W;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    float largest = x[i * size];
#pragma omp simd reduction(max : largest)
    for (int64_t j = 0; j < size; ++j) largest = x[i * size + j] > largest ? x[i * size + j] : largest;
    y[i] = largest;
  }
}
