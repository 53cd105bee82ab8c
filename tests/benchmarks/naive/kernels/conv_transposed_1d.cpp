// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void conv_transposed_1d(const float* x, const float* w, float* y, int64_t N, int64_t C, int64_t L, int64_t O, int64_t OL) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    for (int64_t o = 0; o < O; ++o) {
      for (int64_t l = 0; l < OL; ++l) y[(n * O + o) * OL + l] = 0;
      for (int64_t c = 0; c < C; ++c) {
        for (int64_t l = 0; l < L; ++l) {
          for (int64_t p = 0; p < 3; ++p) {
            y[(n * O + o) * OL + l + p] += x[(n * C + c) * L + l] * w[(c * O + o) * 3 + p];
          }
        }
      }
    }
  }
}
