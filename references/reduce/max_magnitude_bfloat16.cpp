// SPDX-License-Identifier: Apache-2.0
// Without the sign, bits are in the order of the numbers, and those of NaN above all others.
#include "kernel.h"

#include "blocks/bfloat16.h"

void max_magnitude_bfloat16(const bfloat16* x, bfloat16* y, int64_t N, int64_t C) {
  const blocks::Bits* bits = reinterpret_cast<const blocks::Bits*>(x);
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    int16_t largest = 0;
#pragma omp simd reduction(max : largest)
    for (int64_t c = 0; c < C; ++c) {
      const int16_t magnitude = bits[n * C + c] & 0x7fff;
      largest = magnitude > largest ? magnitude : largest;
    }
    reinterpret_cast<blocks::Bits*>(y)[n] = largest;
  }
}
