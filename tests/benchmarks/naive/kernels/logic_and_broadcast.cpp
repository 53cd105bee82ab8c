// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void logic_and_broadcast(const bool* a, const bool* b, bool* y, int64_t B, int64_t N, int64_t C) {
#pragma omp parallel for
  for (int64_t i = 0; i < B; ++i) {
    for (int64_t n = 0; n < N; ++n) {
      for (int64_t c = 0; c < C; ++c) y[(i * N + n) * C + c] = a[(i * N + n) * C + c] && b[n];
    }
  }
}
