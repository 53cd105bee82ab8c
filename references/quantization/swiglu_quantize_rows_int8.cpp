// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

void swiglu_quantize_rows_int8(const float* x, const float* smooth, const int64_t* offsets, int8_t* q, float* scale, int64_t N, int64_t C,
                               int64_t G) {
  const int64_t* ends = offsets + 1;
#pragma omp parallel
  {
    std::vector<float> h(C);
#pragma omp for schedule(static)
    for (int64_t n = 0; n < N; ++n) {
      const float *gate = x + 2 * n * C, *value = gate + C;
      const float* factor = smooth + (std::upper_bound(ends, ends + G, n) - ends) * C;
      float most = 0.0f;
#pragma omp simd reduction(max : most)
      for (int64_t c = 0; c < C; ++c) {
        h[c] = gate[c] / (1.0f + blocks::exp(-gate[c])) * value[c] * factor[c];
        most = std::max(most, std::fabs(h[c]));
      }
      const float step = scale[n] = std::max(most / 127.0f, 0x1p-20f);
#pragma omp simd
      for (int64_t c = 0; c < C; ++c) q[n * C + c] = static_cast<int8_t>(std::nearbyint(h[c] / step));
    }
  }
}
