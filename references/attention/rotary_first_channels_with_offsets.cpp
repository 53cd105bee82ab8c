// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

extern "C" void rotary_first_channels_with_offsets(const float* x, const float* cosines, const float* sines, const int64_t* offsets, float* y,
                                                   int64_t B, int64_t S, int64_t H, int64_t E, int64_t R, int64_t) {
  const int64_t D = 2 * E + R;
#pragma omp parallel for
  for (int64_t row = 0; row < B * S; ++row) {
    const int64_t place = row % S + offsets[row / S];
    const float *cos = cosines + place * E, *sin = sines + place * E;
    for (int64_t h = 0; h < H; ++h) {
      const float* from = x + (row * H + h) * D;
      float* to = y + (row * H + h) * D;
#pragma omp simd
      for (int64_t e = 0; e < E; ++e) {
        to[e] = from[e] * cos[e] - from[E + e] * sin[e];
        to[E + e] = from[E + e] * cos[e] + from[e] * sin[e];
      }
      std::copy(from + 2 * E, from + D, to + 2 * E);
    }
  }
}
