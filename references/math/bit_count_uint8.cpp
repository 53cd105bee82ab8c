// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "kernel.h"

void bit_count_uint8(const uint8_t* x, uint8_t* y, int64_t N, int64_t C) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N * C; ++i) y[i] = static_cast<uint8_t>(std::popcount(x[i]));
}
