// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void bitwise_or_uint8(const uint8_t* a, const uint8_t* b, uint8_t* y, int64_t N, int64_t C) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N * C; ++i) y[i] = static_cast<uint8_t>(a[i] | b[i]);
}
