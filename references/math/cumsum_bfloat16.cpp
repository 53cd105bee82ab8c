// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

#include "blocks/bfloat16.h"

void cumsum_bfloat16(const bfloat16* x, bfloat16* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const bfloat16* in = x + n * C;
    bfloat16* out = y + n * C;
    double sum = 0.0;
    for (int64_t c = 0; c < C; ++c) {
      sum += blocks::load(in[c]);
      blocks::store(static_cast<float>(sum), out[c]);
    }
  }
}
