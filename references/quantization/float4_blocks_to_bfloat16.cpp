// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

#include "blocks/bfloat16.h"

void float4_blocks_to_bfloat16(const uint8_t* x, const uint8_t* s, bfloat16* y, int64_t N) {
  const float numbers[16] = {0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 6.0f, -0.0f, -0.5f, -1.0f, -1.5f, -2.0f, -3.0f, -4.0f, -6.0f};
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float scale = s[n] == 255 ? NAN : std::ldexp(1.0f, s[n] - 127);
    for (int64_t i = 16 * n; i < 16 * (n + 1); ++i) {
      blocks::store(numbers[x[i] >> 4] * scale, y[2 * i]);
      blocks::store(numbers[x[i] & 15] * scale, y[2 * i + 1]);
    }
  }
}
