// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void batch_norm_silu(const float* x, const float* mean, const float* variance, const float* scale, const float* bias, float* y, int64_t N,
                     int64_t C, int64_t L) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    for (int64_t c = 0; c < C; ++c) {
      for (int64_t l = 0; l < L; ++l) {
        float z = (x[(n * C + c) * L + l] - mean[c]) / std::sqrt(variance[c] + 1e-5f) * scale[c] + bias[c];
        y[(n * C + c) * L + l] = z / (1 + std::exp(-z));
      }
    }
  }
}
