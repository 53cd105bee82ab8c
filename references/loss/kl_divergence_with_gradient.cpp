// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include "kernel.h"

extern "C" void kl_divergence_with_gradient(const float* log_p, const float* target, float* y, float* gradient, int64_t N, int64_t C) {
  const float rows = static_cast<float>(N);
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    float sum = 0;
    for (int64_t c = n * C; c < (n + 1) * C; ++c) {
      sum += target[c] * (blocks::log(target[c]) - log_p[c]);
      gradient[c] = -target[c] / rows;
    }
    y[n] = sum;
  }
}
