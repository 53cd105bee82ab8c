// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "kernel.h"

void matmul_int4_float16(const float16* x, const int32_t* q, const float16* scale, const int32_t* zeros, float16* y, int64_t M, int64_t G,
                         int64_t P, int64_t N) {
  int64_t rows = 8 * G * P, columns = 8 * N;
  std::vector<float> w(rows * columns);
#pragma omp parallel for
  for (int64_t k = 0; k < rows; ++k) {
    for (int64_t j = 0; j < columns; ++j) {
      int64_t group = k / (8 * P);
      int code = (uint32_t)q[k / 8 * columns + j] >> (4 * (k % 8)) & 15;
      int zero = (uint32_t)zeros[group * N + j / 8] >> (4 * (j % 8)) & 15;
      w[k * columns + j] = (code - zero) * (float)scale[group * columns + j];
    }
  }
#pragma omp parallel for
  for (int64_t i = 0; i < M; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      float sum = 0;
      for (int64_t k = 0; k < rows; ++k) sum += (float)x[i * rows + k] * w[k * columns + j];
      y[i * columns + j] = (float16)sum;
    }
  }
}
