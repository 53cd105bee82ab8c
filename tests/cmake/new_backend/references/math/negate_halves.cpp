// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void negate_halves(const bfloat16* b, const float16* h, bfloat16* negated_b, float16* negated_h, int64_t N) {
  for (int64_t i = 0; i < N; ++i) {
    negated_b[i] = -b[i];
    negated_h[i] = -h[i];
  }
}
