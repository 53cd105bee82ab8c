// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

extern "C" void rotary_half_split(const float* x, const float* cosines, const float* sines, float* y, int64_t B, int64_t S, int64_t H,
                                  int64_t E) {
#pragma omp parallel for
  for (int64_t row = 0; row < B * S; ++row) {
    const float *cos = cosines + row % S * E, *sin = sines + row % S * E;
    for (int64_t h = 0; h < H; ++h) {
      const float* from = x + (row * H + h) * 2 * E;
      float* to = y + (row * H + h) * 2 * E;
#pragma omp simd
      for (int64_t e = 0; e < E; ++e) {
        to[e] = from[e] * cos[e] - from[E + e] * sin[e];
        to[E + e] = from[E + e] * cos[e] + from[e] * sin[e];
      }
    }
  }
}
