// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "kernel.h"

#include "blocks/float16.h"

extern "C" void quantize_smoothed_rows_int8(const float16* x, const float16* smooth, int8_t* q, float* scale, int64_t N, int64_t C) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    const float16* row = x + n * C;
    float most = 0;
#pragma omp simd reduction(max : most)
    for (int64_t c = 0; c < C; ++c) most = std::max(most, std::fabs(blocks::load(row[c]) * blocks::load(smooth[c])));
    const float step = std::max(most / 127.0f, 1e-10f);
    scale[n] = step;
    for (int64_t c = 0; c < C; ++c)
      q[n * C + c] = static_cast<int8_t>(std::nearbyint(blocks::load(row[c]) * blocks::load(smooth[c]) / step));
  }
}
