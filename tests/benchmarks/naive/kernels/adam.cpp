// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void adam(const float* param, const float* grad, const float* m, const float* v, float* new_param, float* new_m, float* new_v, int64_t N,
          int64_t M) {
#pragma omp parallel for
  for (int64_t i = 0; i < N * M; ++i) {
    new_m[i] = 0.9f * m[i] + 0.1f * grad[i];
    new_v[i] = 0.999f * v[i] + 0.001f * (grad[i] * grad[i]);
    float m_hat = new_m[i] / 0.1f;
    float v_hat = new_v[i] / 0.001f;
    new_param[i] = param[i] - 0.001f * m_hat / (std::sqrt(v_hat) + 1e-8f);
  }
}
