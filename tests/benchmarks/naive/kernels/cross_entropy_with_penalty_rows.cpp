// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "kernel.h"

void cross_entropy_with_penalty_rows(const float* x, const int64_t* target, float* loss, float* lse, float* penalty, int64_t N, int64_t C) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    std::vector<float> z(C);
    for (int64_t c = 0; c < C; ++c) z[c] = 0.7f * x[n * C + c];
    float largest = z[0];
    float mean = 0;
    for (int64_t c = 0; c < C; ++c) {
      if (z[c] > largest) largest = z[c];
      mean += z[c];
    }
    mean /= C;
    if (std::isinf(largest)) largest = 0;
    float sum = 0;
    for (int64_t c = 0; c < C; ++c) sum += std::exp(z[c] - largest);
    lse[n] = largest + std::log(sum);
    loss[n] = 0;
    penalty[n] = 0;
    if (target[n] >= 0) {
      penalty[n] = 0.01f * lse[n] * lse[n];
      loss[n] = lse[n] - 0.9f * z[target[n]] - 0.1f * mean + penalty[n];
    }
  }
}
