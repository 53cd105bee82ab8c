// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

void cumsum_int16(const int16_t* x, int16_t* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const int16_t* in = x + n * C;
    int16_t* out = y + n * C;
    int32_t sum = 0;
    for (int64_t c = 0; c < C; ++c) {
      sum += in[c];
      out[c] = static_cast<int16_t>(std::clamp(sum, -32768, 32767));
    }
  }
}
