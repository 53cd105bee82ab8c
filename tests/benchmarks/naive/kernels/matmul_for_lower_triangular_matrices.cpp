// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "kernel.h"

void matmul_for_lower_triangular_matrices(const float* a, const float* b, float* c, int64_t N) {
  std::vector<float> al(N * N), bl(N * N);
#pragma omp parallel for
  for (int64_t i = 0; i < N; ++i) {
    for (int64_t j = 0; j < N; ++j) {
      al[i * N + j] = j <= i ? a[i * N + j] : 0;
      bl[i * N + j] = j <= i ? b[i * N + j] : 0;
    }
  }
#pragma omp parallel for
  for (int64_t i = 0; i < N; ++i) {
    for (int64_t j = 0; j < N; ++j) {
      float sum = 0;
      for (int64_t k = 0; k < N; ++k) sum += al[i * N + k] * bl[k * N + j];
      c[i * N + j] = sum;
    }
  }
}
