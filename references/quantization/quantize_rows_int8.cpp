// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "kernel.h"

extern "C" void quantize_rows_int8(const float* x, int8_t* q, float16* largest, int64_t N, int64_t C) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    const float* row = x + n * C;
    float most = 0x1p-20f;
#pragma omp simd reduction(max : most)
    for (int64_t c = 0; c < C; ++c) most = std::max(most, std::fabs(row[c]));
    largest[n] = static_cast<float16>(most);
    for (int64_t c = 0; c < C; ++c) q[n * C + c] = static_cast<int8_t>(std::nearbyint(row[c] / most * 127.0f));
  }
}
