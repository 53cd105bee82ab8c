// SPDX-License-Identifier: Apache-2.0
// Bits are in the order of the numbers once those below the sign are flipped in negative ones. Without the sign, those
// of NaN are above infinity's.
#include "kernel.h"

#include "blocks/bfloat16.h"

namespace {

int16_t flipped(int16_t bits) { return bits ^ ((bits >> 15) & 0x7fff); }

}  // namespace

void min_of_rows_bfloat16(const bfloat16* x, bfloat16* y, int64_t N, int64_t C) {
  const blocks::Bits* bits = reinterpret_cast<const blocks::Bits*>(x);
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    int16_t smallest = 0x7fff, magnitude = 0;
#pragma omp simd reduction(min : smallest) reduction(max : magnitude)
    for (int64_t c = 0; c < C; ++c) {
      const int16_t number = bits[n * C + c], order = flipped(number), size = number & 0x7fff;
      smallest = order < smallest ? order : smallest;
      magnitude = size > magnitude ? size : magnitude;
    }
    reinterpret_cast<blocks::Bits*>(y)[n] = magnitude > 0x7f80 ? magnitude : flipped(smallest);
  }
}
