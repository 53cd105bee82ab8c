// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include "kernel.h"

namespace {

float dot(const float* a, const float* b, int64_t count) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

void matrix_vector_sigmoid_subtract(const float* a, const float* v, const float* other, float* y, int64_t M, int64_t K) {
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) y[m] = 1 / (1 + blocks::exp(-dot(a + m * K, v, K))) - 0.5f * other[m];
}
