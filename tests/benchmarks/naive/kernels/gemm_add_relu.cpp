// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void gemm_add_relu(const float* x, const float* w, const float* b, float* y, int64_t M, int64_t K, int64_t N) {
#pragma omp parallel for
  for (int64_t m = 0; m < M; ++m) {
    for (int64_t n = 0; n < N; ++n) {
      float sum = 0;
      for (int64_t k = 0; k < K; ++k) sum += x[m * K + k] * w[n * K + k];
      sum += b[n];
      y[m * N + n] = sum < 0 ? 0 : sum;
    }
  }
}
