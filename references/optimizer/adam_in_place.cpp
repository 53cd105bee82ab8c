// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

extern "C" void adam_in_place(float* param, float* m, float* v, const float* grad, int64_t N) {
#pragma omp parallel for simd
  for (int64_t i = 0; i < N; ++i) {
    m[i] = 0.9f * m[i] + 0.1f * grad[i];
    v[i] = 0.999f * v[i] + 0.001f * (grad[i] * grad[i]);
    param[i] -= 0.001f * (m[i] / 0.1f) / (std::sqrt(v[i] / 0.001f) + 1e-8f);
  }
}
