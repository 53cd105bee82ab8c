// SPDX-License-Identifier: Apache-2.0
// Quartered first, so that large numbers do not overflow.
#include "kernel.h"

#include "blocks/bfloat16.h"

void average_pooling_2d_bfloat16(const bfloat16* x, bfloat16* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t P, int64_t Q) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t n = 0; n < N * C; ++n)
    for (int64_t p = 0; p < P; ++p) {
      const bfloat16* upper = x + (n * H + 2 * p) * W;
      const bfloat16* lower = upper + W;
      bfloat16* out = y + (n * P + p) * Q;
      for (int64_t q = 0; q < Q; ++q) {
        const float above = 0.25f * blocks::load(upper[2 * q]) + 0.25f * blocks::load(upper[2 * q + 1]);
        const float below = 0.25f * blocks::load(lower[2 * q]) + 0.25f * blocks::load(lower[2 * q + 1]);
        blocks::store(above + below, out[q]);
      }
    }
}
