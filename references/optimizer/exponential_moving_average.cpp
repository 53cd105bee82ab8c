// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

extern "C" void exponential_moving_average(float* average, const float* value, int64_t N) {
#pragma omp parallel for simd
  for (int64_t i = 0; i < N; ++i) average[i] = 0.99f * average[i] + 0.01f * value[i];
}
