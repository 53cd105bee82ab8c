// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

namespace {

float dot(const float* a, const float* b, int64_t count) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

void sum_of_gram_magnitudes(const float* a, const float* c, float* y, int64_t M, int64_t K) {
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < M; ++j) sum += std::abs(dot(a + i * K, a + j * K, K) + 0.5f * c[i * M + j]);
  *y = static_cast<float>(sum);
}
