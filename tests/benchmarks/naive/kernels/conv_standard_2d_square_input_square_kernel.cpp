// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void conv_standard_2d_square_input_square_kernel(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t H,
                                                 int64_t W, int64_t O, int64_t OH, int64_t OW) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    for (int64_t o = 0; o < O; ++o) {
      for (int64_t i = 0; i < OH; ++i) {
        for (int64_t j = 0; j < OW; ++j) {
          float sum = b[o];
          for (int64_t c = 0; c < C; ++c) {
            for (int64_t p = 0; p < 11; ++p) {
              for (int64_t q = 0; q < 11; ++q) {
                int64_t row = i * 4 + p - 2;
                int64_t column = j * 4 + q - 2;
                if (row >= 0 && row < H && column >= 0 && column < W) {
                  sum += x[((n * C + c) * H + row) * W + column] * w[((o * C + c) * 11 + p) * 11 + q];
                }
              }
            }
          }
          y[((n * O + o) * OH + i) * OW + j] = sum;
        }
      }
    }
  }
}
