// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

extern "C" void sign_bit(const float* x, const int8_t* other, bool* y, int8_t* z, int64_t N, int64_t C) {
#pragma omp parallel for
  for (int64_t i = 0; i < N * C; ++i) {
    y[i] = std::signbit(x[i]);
    z[i] = static_cast<int8_t>(y[i] & other[i]);
  }
}
