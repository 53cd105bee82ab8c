// SPDX-License-Identifier: Apache-2.0
// The sum is an int, which holds it.
#include <algorithm>

#include "kernel.h"

void add_offset_int8(const int8_t* x, const int8_t* offset, int8_t* y, int64_t N, int64_t C) {
  const int shift = offset[0];
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N * C; ++i) y[i] = static_cast<int8_t>(std::clamp(x[i] + shift, -128, 127));
}
