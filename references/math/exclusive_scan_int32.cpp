// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void exclusive_scan_int32(const int32_t* x, int32_t* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    uint32_t sum = 0;
    for (int64_t i = n * C; i < (n + 1) * C; ++i) {
      y[i] = static_cast<int32_t>(sum);
      sum += static_cast<uint32_t>(x[i]);
    }
  }
}
