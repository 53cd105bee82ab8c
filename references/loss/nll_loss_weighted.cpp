// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

extern "C" void nll_loss_weighted(const float* x, const int64_t* target, const float* weight, float* y, int64_t N, int64_t C) {
  double sum = 0.0, total = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : sum, total)
  for (int64_t n = 0; n < N; ++n) {
    const int64_t c = target[n];
    if (c == -100) continue;
    const double share = weight[c];
    sum -= share * x[n * C + c];
    total += share;
  }
  *y = static_cast<float>(sum / total);
}
