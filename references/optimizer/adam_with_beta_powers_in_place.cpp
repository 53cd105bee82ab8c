// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

extern "C" void adam_with_beta_powers_in_place(float* param, float* m, float* v, const float* grad, const float* beta1_power,
                                               const float* beta2_power, const float* rate, int64_t N) {
  const float corrected_rate = *rate * std::sqrt(1.0f - *beta2_power) / (1.0f - *beta1_power);
#pragma omp parallel for simd
  for (int64_t i = 0; i < N; ++i) {
    m[i] = 0.9f * m[i] + 0.1f * grad[i];
    v[i] = 0.999f * v[i] + 0.001f * (grad[i] * grad[i]);
    param[i] -= corrected_rate * (m[i] / (std::sqrt(v[i]) + 1e-8f));
  }
}
