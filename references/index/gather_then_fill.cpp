// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

extern "C" void gather_then_fill(const float* x, const int64_t* indices, const bool* mask, float* y, int64_t N, int64_t M, int64_t K) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    const float* row = x + n * M;
    for (int64_t i = n * K; i < (n + 1) * K; ++i) {
      const float gathered = row[indices[i]];
      y[i] = mask[i] ? 0.5f : gathered;
    }
  }
}
