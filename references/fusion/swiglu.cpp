// SPDX-License-Identifier: Apache-2.0
// Where exp overflows the quotient is 0, as it should be.
#include "blocks/vector_math.h"

#include "kernel.h"

void swiglu(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* gate = x + 2 * n * C;
    const float* value = gate + C;
    float* out = y + n * C;
    for (int64_t c = 0; c < C; ++c) out[c] = gate[c] / (1.0f + blocks::exp(-gate[c])) * value[c];
  }
}
