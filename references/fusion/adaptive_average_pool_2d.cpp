// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

extern "C" void adaptive_average_pool_2d(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t P, int64_t Q) {
#pragma omp parallel for
  for (int64_t plane = 0; plane < N * C; ++plane)
    for (int64_t i = 0; i < P; ++i) {
      const int64_t row = i * H / P, row_end = ((i + 1) * H + P - 1) / P;
      for (int64_t j = 0; j < Q; ++j) {
        const int64_t column = j * W / Q, column_end = ((j + 1) * W + Q - 1) / Q;
        float sum = 0;
        for (int64_t h = row; h < row_end; ++h)
          for (int64_t w = column; w < column_end; ++w) sum += x[(plane * H + h) * W + w];
        y[(plane * P + i) * Q + j] = sum / static_cast<float>((row_end - row) * (column_end - column));
      }
    }
}
