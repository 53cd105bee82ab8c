// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

static const float values[16] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6, -0.0f, -0.5f, -1, -1.5f, -2, -3, -4, -6};

void float4_to_bfloat16(const uint8_t* x, bfloat16* y, int64_t N) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    y[2 * n] = (bfloat16)values[x[n] >> 4];
    y[2 * n + 1] = (bfloat16)values[x[n] & 15];
  }
}
