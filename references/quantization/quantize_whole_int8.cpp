// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "kernel.h"

extern "C" void quantize_whole_int8(const float* x, int8_t* q, float* largest, int64_t N) {
  float most = 0x1p-64f;
#pragma omp parallel for simd reduction(max : most)
  for (int64_t i = 0; i < N; ++i) most = std::max(most, std::fabs(x[i]));
  largest[0] = most;
#pragma omp parallel for
  for (int64_t i = 0; i < N; ++i) q[i] = static_cast<int8_t>(std::nearbyint(x[i] / most * 127.0f));
}
