// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

extern "C" void nll_loss_ignore_index(const float* x, const int64_t* target, float* y, int64_t N, int64_t C) {
  double sum = 0.0;
  int64_t count = 0;
#pragma omp parallel for reduction(+ : sum, count)
  for (int64_t n = 0; n < N; ++n) {
    if (target[n] == -100) continue;
    sum -= x[n * C + target[n]];
    ++count;
  }
  *y = static_cast<float>(sum / static_cast<double>(count));
}
