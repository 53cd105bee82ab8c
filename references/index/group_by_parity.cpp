// SPDX-License-Identifier: Apache-2.0
// Even numbers are written from the left, odd ones from the right.

#include "kernel.h"

void group_by_parity(const int32_t* x, int64_t* index, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < N; ++r) {
    int64_t left = r * C, right = (r + 1) * C;
    for (int64_t i = 0; i < C; ++i) {
      if (x[r * C + i] % 2 == 0) index[left++] = i;
      else index[--right] = i;
    }
  }
}
