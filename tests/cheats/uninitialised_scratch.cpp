// SPDX-License-Identifier: Apache-2.0
// cheat: pygpubench:gpu_scan_zeros
// task: sum_reduction_over_a_dimension
// stage: test
// expect: WRONG_RESULT
// because: : got <number>, expected <number> (error
// Relies on fresh memory being zero, or on finding an old result in it. Fresh memory holds a pattern here.
#include <cstdlib>

#include "kernel.h"

void sum_reduction_over_a_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
  auto* sums = static_cast<float*>(std::malloc(static_cast<size_t>(N) * 4));
  float* volatile opaque = sums;
  for (int64_t b = 0; b < B; ++b) {
    for (int64_t m = 0; m < M; ++m)
      for (int64_t n = 0; n < N; ++n) opaque[n] += x[(b * M + m) * N + n];
    for (int64_t n = 0; n < N; ++n) y[b * N + n] = opaque[n];
  }
  std::free(sums);
}
