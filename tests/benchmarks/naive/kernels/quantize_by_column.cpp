// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void quantize_by_column(const float* x, const float* scale, const uint8_t* zero_point, uint8_t* y, int64_t N, int64_t C) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    for (int64_t c = 0; c < C; ++c) {
      float value = std::nearbyint(x[n * C + c] / scale[c]) + zero_point[c];
      if (value < 0) value = 0;
      if (value > 255) value = 255;
      y[n * C + c] = (uint8_t)value;
    }
  }
}
