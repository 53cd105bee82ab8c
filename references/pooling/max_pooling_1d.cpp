// SPDX-License-Identifier: Apache-2.0
// Away from the ends each window lies inside the row: its elements are compared for neighbouring outputs at once.
#include <algorithm>

#include "kernel.h"

void max_pooling_1d(const float* x, float* y, int64_t N, int64_t C, int64_t L, int64_t OL) {
  constexpr int64_t window = 8, pad = 4;
#pragma omp parallel for schedule(static)
  for (int64_t row = 0; row < N * C; ++row) {
    const float* in = x + row * L;
    float* out = y + row * OL;
    const int64_t first = std::min(pad, OL), last = std::max(first, std::min(OL, L - window + pad + 1));
    const auto at_an_end = [&](int64_t i) {
      return *std::max_element(in + std::max<int64_t>(i - pad, 0), in + std::min(i - pad + window, L));
    };
    for (int64_t i = 0; i < first; ++i) out[i] = at_an_end(i);
#pragma omp simd
    for (int64_t i = first; i < last; ++i) {
      float largest = in[i - pad];
      for (int64_t tap = 1; tap < window; ++tap) largest = largest < in[i - pad + tap] ? in[i - pad + tap] : largest;
      out[i] = largest;
    }
    for (int64_t i = last; i < OL; ++i) out[i] = at_an_end(i);
  }
}
