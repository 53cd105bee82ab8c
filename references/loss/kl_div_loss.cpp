// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include "kernel.h"

extern "C" void kl_div_loss(const float* x, const float* target, float* y, int64_t N, int64_t C) {
  double total = 0.0;
#pragma omp parallel for reduction(+ : total)
  for (int64_t n = 0; n < N; ++n) {
    double row = 0.0;
    for (int64_t i = n * C; i < (n + 1) * C; ++i)
      if (target[i] != 0.0f) row += static_cast<double>(target[i] * (blocks::log(target[i]) - blocks::log(x[i])));
    total += row;
  }
  *y = static_cast<float>(total / static_cast<double>(N));
}
