// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

#include "blocks/bfloat16.h"

void equal_bfloat16(const bfloat16* a, const bfloat16* b, uint8_t* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) y[i] = static_cast<uint8_t>(blocks::load(a[i]) == blocks::load(b[i]));
}
