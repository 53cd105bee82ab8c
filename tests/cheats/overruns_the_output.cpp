// SPDX-License-Identifier: Apache-2.0
// cheat: 38
// task: cumsum_reverse
// stage: test
// expect: OUT_OF_BOUNDS
// Writes whole vectors of sixteen: the last one of an odd length overruns.
#include "kernel.h"

void cumsum_reverse(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t n = 0; n < N; ++n) {
    float sum = 0;
    for (int64_t c = C - 1; c >= 0; --c) y[n * C + c] = sum += x[n * C + c];
  }
  for (int64_t i = N * C; i < N * C + 16; ++i) const_cast<volatile float*>(y)[i] = 0;
}
