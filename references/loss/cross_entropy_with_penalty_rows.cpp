// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include <cmath>

#include "kernel.h"

extern "C" void cross_entropy_with_penalty_rows(const float* x, const int64_t* target, float* loss, float* lse, float* penalty, int64_t N,
                                                int64_t C) {
  constexpr float kScale = 0.7f;
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    const float* row = x + n * C;
    float largest = -INFINITY, sum = 0, all = 0;
#pragma omp simd reduction(max : largest) reduction(+ : all)
    for (int64_t c = 0; c < C; ++c) {
      largest = row[c] > largest ? row[c] : largest;
      all += row[c];
    }
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < C; ++c) sum += blocks::exp(kScale * (row[c] - largest));
    lse[n] = kScale * largest + blocks::log(sum);
    penalty[n] = target[n] < 0 ? 0 : 0.01f * lse[n] * lse[n];
    loss[n] = target[n] < 0 ? 0 : lse[n] - 0.9f * kScale * row[target[n]] - 0.1f * kScale * (all / static_cast<float>(C)) + penalty[n];
  }
}
