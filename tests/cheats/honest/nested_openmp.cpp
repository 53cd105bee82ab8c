// SPDX-License-Identifier: Apache-2.0
// task: matmul_with_irregular_shapes
// A team within each thread of a team, a reduction and a critical section.
#include <omp.h>

#include "kernel.h"

void matmul_with_irregular_shapes(const float* a, const float* b, float* c, int64_t M, int64_t K, int64_t N) {
  omp_set_max_active_levels(2);
#pragma omp parallel for num_threads(2) schedule(dynamic)
  for (int64_t i = 0; i < M; ++i) {
#pragma omp parallel for num_threads(2)
    for (int64_t j = 0; j < N; ++j) {
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t k = 0; k < K; ++k) sum += static_cast<double>(a[i * K + k]) * b[k * N + j];
      c[i * N + j] = static_cast<float>(sum);
    }
  }
}
