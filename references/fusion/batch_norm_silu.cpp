// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include <cmath>

#include "kernel.h"

void batch_norm_silu(const float* x, const float* mean, const float* variance, const float* scale, const float* bias, float* y, int64_t N,
                     int64_t C, int64_t L) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N * C; ++n) {
    const int64_t c = n % C;
    const float factor = scale[c] / std::sqrt(variance[c] + 1e-5f);
    for (int64_t i = n * L; i < (n + 1) * L; ++i) {
      const float z = (x[i] - mean[c]) * factor + bias[c];
      y[i] = z * blocks::sigmoid(z);  // as small as it is where exp(-z) overflows
    }
  }
}
