// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void bitwise_xor(const int32_t* a, const int32_t* b, int32_t* y, int64_t N, int64_t C) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N * C; ++i) y[i] = a[i] ^ b[i];
}
