// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

void masked_select(const float* x, const bool* mask, float* y, int64_t* count, int64_t N) {
  int64_t found = 0;
  for (int64_t i = 0; i < N; ++i)
    if (mask[i]) y[found++] = x[i];
  std::fill(y + found, y + N, 0.0f);
  *count = found;
}
