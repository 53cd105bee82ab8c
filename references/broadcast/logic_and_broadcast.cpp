// SPDX-License-Identifier: Apache-2.0
// b decides a whole row: the row is copied or cleared, and a cleared one is never read.
#include <cstring>

#include "kernel.h"

extern "C" void logic_and_broadcast(const bool* a, const bool* b, bool* y, int64_t B, int64_t N, int64_t C) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t i = 0; i < B; ++i) {
    for (int64_t n = 0; n < N; ++n) {
      int64_t row = (i * N + n) * C;
      if (b[n]) {
        std::memcpy(y + row, a + row, C);
      } else {
        std::memset(y + row, 0, C);
      }
    }
  }
}
