// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "kernel.h"

namespace {

double dot(const float* a, const float* b, int64_t count) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < count; ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

}  // namespace

void cosine_similarity_of_normalized(const float* a, const float* b, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float *p = a + n * C, *q = b + n * C;
    const double norm_p = std::max(std::sqrt(dot(p, p, C)), 1e-12), norm_q = std::max(std::sqrt(dot(q, q, C)), 1e-12);
    y[n] = static_cast<float>(dot(p, q, C) / norm_p / norm_q);
  }
}
