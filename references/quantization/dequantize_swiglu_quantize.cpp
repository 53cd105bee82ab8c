// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

void dequantize_swiglu_quantize(const int32_t* x, const float* column_scale, const float* row_scale, const float* smooth, int8_t* q,
                                float* scale, int64_t N, int64_t C) {
#pragma omp parallel
  {
    std::vector<float> h(C);
#pragma omp for schedule(static)
    for (int64_t n = 0; n < N; ++n) {
      const int32_t *values = x + 2 * n * C, *gates = values + C;
      const float of_row = row_scale[n];
      float most = 0.0f;
#pragma omp simd reduction(max : most)
      for (int64_t c = 0; c < C; ++c) {
        const float value = static_cast<float>(values[c]) * column_scale[c] * of_row;
        const float gate = static_cast<float>(gates[c]) * column_scale[C + c] * of_row;
        h[c] = value * (gate / (1.0f + blocks::exp(-gate))) * smooth[c];
        most = std::max(most, std::fabs(h[c]));
      }
      const float step = scale[n] = std::max(most / 127.0f, 0x1p-20f);
#pragma omp simd
      for (int64_t c = 0; c < C; ++c) q[n * C + c] = static_cast<int8_t>(std::nearbyint(h[c] / step));
    }
  }
}
