// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

extern "C" void dequantize_by_column(const int8_t* q, const float* scale, const int8_t* zero_point, float* y, int64_t N, int64_t C) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n)
    for (int64_t c = 0; c < C; ++c) y[n * C + c] = static_cast<float>(q[n * C + c] - zero_point[c]) * scale[c];
}
