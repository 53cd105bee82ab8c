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

void norm_of_matrix_vector(const float* a, const float* x, float* y, int64_t N) {
  double squares = 0;
#pragma omp parallel for schedule(static) reduction(+ : squares)
  for (int64_t n = 0; n < N; ++n) {
    const double element = 2 * dot(a + n * N, x, N);
    squares += element * element;
  }
  *y = static_cast<float>(std::sqrt(squares));
}
