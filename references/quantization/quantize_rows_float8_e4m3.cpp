// SPDX-License-Identifier: Apache-2.0
// A NaN is the largest of its row, as it is in ONNX's ReduceMax.
#include <algorithm>
#include <cmath>

#include "kernel.h"

void quantize_rows_float8_e4m3(const float* x, float8_e4m3* q, float* scale, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* row = x + n * C;
    float largest = 0.0f;
    bool has_nan = false;
    for (int64_t c = 0; c < C; ++c) {
      largest = std::max(largest, std::fabs(row[c]));
      has_nan |= row[c] != row[c];
    }
    const float share = has_nan ? NAN : largest / 448.0f;
    scale[n] = share < 0x1p-64f ? 0x1p-64f : share;
    for (int64_t c = 0; c < C; ++c) q[n * C + c] = row[c] / scale[n];
  }
}
