// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "kernel.h"

extern "C" void quantize_by_column(const float* x, const float* scale, const uint8_t* zero_point, uint8_t* y, int64_t N, int64_t C) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n)
    for (int64_t c = 0; c < C; ++c) {
      const float rounded = std::nearbyint(x[n * C + c] / scale[c]) + static_cast<float>(zero_point[c]);
      y[n * C + c] = static_cast<uint8_t>(std::clamp(rounded, 0.0f, 255.0f));
    }
}
