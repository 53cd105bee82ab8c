// SPDX-License-Identifier: Apache-2.0
// A byte is looked up as its pair.
#include "kernel.h"

#include "blocks/bfloat16.h"

void float4_to_bfloat16(const uint8_t* x, bfloat16* y, int64_t N) {
  const float numbers[16] = {0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 6.0f, -0.0f, -0.5f, -1.0f, -1.5f, -2.0f, -3.0f, -4.0f, -6.0f};
  bfloat16 pairs[256][2];
  for (int byte = 0; byte < 256; ++byte) {
    blocks::store(numbers[byte >> 4], pairs[byte][0]);
    blocks::store(numbers[byte & 15], pairs[byte][1]);
  }
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N; ++i) {
    y[2 * i] = pairs[x[i]][0];
    y[2 * i + 1] = pairs[x[i]][1];
  }
}
