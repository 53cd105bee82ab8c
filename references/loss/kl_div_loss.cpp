// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include "kernel.h"

extern "C" void kl_div_loss(const float* x, const float* target, float* y, int64_t N, int64_t C) {
  double total = 0.0;
#pragma omp parallel for simd reduction(+ : total) schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    const float term = target[i] * (blocks::log(target[i]) - blocks::log(x[i]));
    total += target[i] != 0.0f ? term : 0.0f;
  }
  *y = static_cast<float>(total / static_cast<double>(N));
}
