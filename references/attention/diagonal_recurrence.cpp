// SPDX-License-Identifier: Apache-2.0
// Channels are vectors; the step before is read from what was written, which the cache still has.
#include "kernel.h"

extern "C" void diagonal_recurrence(const float* state, const float* x, const float* factor, float* y, int64_t B, int64_t D, int64_t T) {
#pragma omp parallel for
  for (int64_t b = 0; b < B; ++b) {
    const float* before = state + b * D;
    for (int64_t t = 0; t < T; ++t) {
      float* now = y + (t * B + b) * D;
      for (int64_t d = 0; d < D; ++d) now[d] = factor[d] * before[d] + x[(t * B + b) * D + d];
      before = now;
    }
  }
}
