// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void greater_broadcast(const float* a, const float* b, bool* y, int64_t N, int64_t C, int64_t M) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t m = 0; m < M; ++m) {
      const float* in = a + n * C;
      const float limit = b[m];
      bool* out = y + (n * M + m) * C;
#pragma omp simd
      for (int64_t c = 0; c < C; ++c) out[c] = in[c] > limit;
    }
}
