// SPDX-License-Identifier: Apache-2.0
// Halved first, so that large numbers do not overflow.
#include "kernel.h"

#include "blocks/bfloat16.h"

void average_pooling_1d_bfloat16(const bfloat16* x, bfloat16* y, int64_t N, int64_t C, int64_t L, int64_t M) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N * C; ++n) {
    const bfloat16* in = x + n * L;
    bfloat16* out = y + n * M;
    for (int64_t m = 0; m < M; ++m) blocks::store(0.5f * blocks::load(in[2 * m]) + 0.5f * blocks::load(in[2 * m + 1]), out[m]);
  }
}
