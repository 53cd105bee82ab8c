// SPDX-License-Identifier: Apache-2.0
// task: sum_reduction_over_a_dimension
// Arrays of a size known at run time on the stack: alloca and the compiler's own.
#include <alloca.h>

#include "kernel.h"

static void sum_rows(const float* x, float* y, int64_t M, int64_t N) {
  double sums[N];
  for (int64_t n = 0; n < N; ++n) sums[n] = 0;
  for (int64_t m = 0; m < M; ++m)
    for (int64_t n = 0; n < N; ++n) sums[n] += x[m * N + n];
  for (int64_t n = 0; n < N; ++n) y[n] = static_cast<float>(sums[n]);
}

void sum_reduction_over_a_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
  auto* row = static_cast<float*>(alloca(static_cast<size_t>(N) * sizeof(float)));
  for (int64_t b = 0; b < B; ++b) {
    sum_rows(x + b * M * N, row, M, N);
    for (int64_t n = 0; n < N; ++n) y[b * N + n] = row[n];
  }
}
