// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void dequantize_int4_float16(const int32_t* q, const float16* scale, const int32_t* zeros, float16* w, int64_t G, int64_t P, int64_t N) {
#pragma omp parallel for
  for (int64_t row = 0; row < 8 * G * P; ++row) {
    for (int64_t column = 0; column < 8 * N; ++column) {
      int64_t group = row / (8 * P);
      int code = (int)((uint32_t)q[row / 8 * 8 * N + column] >> row % 8 * 4) & 15;
      int zero = (int)((uint32_t)zeros[group * N + column / 8] >> column % 8 * 4) & 15;
      w[row * 8 * N + column] = (float16)((float)(code - zero) * (float)scale[group * 8 * N + column]);
    }
  }
}
