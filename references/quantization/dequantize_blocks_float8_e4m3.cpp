// SPDX-License-Identifier: Apache-2.0
// A number of 8 bits is looked up.
#include "kernel.h"

void dequantize_blocks_float8_e4m3(const float8_e4m3* q, const float* scale, float* y, int64_t N, int64_t C) {
  float numbers[256];
  for (int bits = 0; bits < 256; ++bits) {
    float8_e4m3 number;
    number.bits = static_cast<uint8_t>(bits);
    numbers[bits] = number;
  }
#pragma omp parallel for schedule(static)
  for (int64_t block = 0; block < N * C; ++block)
    for (int64_t i = 32 * block; i < 32 * (block + 1); ++i) y[i] = numbers[q[i].bits] * scale[block];
}
