// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void matmul_int8(const int8_t* a, const int8_t* b, int8_t* y, int64_t M, int64_t K, int64_t N) {
#pragma omp parallel for
  for (int64_t i = 0; i < M; ++i) {
    for (int64_t j = 0; j < N; ++j) {
      int32_t sum = 0;
      for (int64_t k = 0; k < K; ++k) sum += (int32_t)a[i * K + k] * (int32_t)b[k * N + j];
      if (sum < -128) sum = -128;
      if (sum > 127) sum = 127;
      y[i * N + j] = (int8_t)sum;
    }
  }
}
