// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

void max_pooling_1d_uint8(const uint8_t* x, uint8_t* y, int64_t N, int64_t C, int64_t L, int64_t M) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N * C; ++n) {
    const uint8_t* in = x + n * L;
    uint8_t* out = y + n * M;
    for (int64_t m = 0; m < M; ++m) out[m] = std::max(in[2 * m], in[2 * m + 1]);
  }
}
