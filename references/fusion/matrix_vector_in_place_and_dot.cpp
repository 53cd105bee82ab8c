// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

namespace {

float row_dot(const float* a, const float* b, int64_t count) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

void matrix_vector_in_place_and_dot(const float* a, const float* x, float* y, float* result, int64_t M) {
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int64_t m = 0; m < M; ++m) {
    y[m] += row_dot(a + m * M, x, M);
    sum += static_cast<double>(y[m]) * x[m];
  }
  *result = static_cast<float>(sum);
}
