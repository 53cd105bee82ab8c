// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void dequantize_int4_float16(const int32_t* q, const float16* scale, const int32_t* zeros, float16* w, int64_t G, int64_t P, int64_t N) {
  const int64_t columns = 8 * N;
#pragma omp parallel for schedule(static)
  for (int64_t row = 0; row < G * P; ++row) {
    const int64_t group = row / P;
    for (int64_t slot = 0; slot < 8; ++slot)
      for (int64_t c = 0; c < columns; ++c) {
        const int code = static_cast<int>(static_cast<uint32_t>(q[row * columns + c]) >> (4 * slot) & 15);
        const int zero = static_cast<int>(static_cast<uint32_t>(zeros[group * N + c / 8]) >> (4 * (c % 8)) & 15);
        w[(8 * row + slot) * columns + c] = static_cast<float16>(static_cast<float>(code - zero) * static_cast<float>(scale[group * columns + c]));
      }
  }
}
