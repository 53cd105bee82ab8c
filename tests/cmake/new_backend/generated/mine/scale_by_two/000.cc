// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void scale_by_two(const float* x, float* y, int64_t N, std::nullptr_t* stream) {
  if (stream != nullptr) return;  // a processor has none
  for (int64_t i = 0; i < N; ++i) y[i] = 2 * x[i];
}
