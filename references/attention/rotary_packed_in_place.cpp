// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

namespace {

void turn(float* x, const float* cosines, const float* sines, int64_t T, int64_t heads, int64_t E) {
#pragma omp parallel for
  for (int64_t t = 0; t < T; ++t) {
    const float *cos = cosines + t * E, *sin = sines + t * E;
    for (int64_t h = 0; h < heads; ++h) {
      float* at = x + (t * heads + h) * 2 * E;
#pragma omp simd
      for (int64_t e = 0; e < E; ++e) {
        const float first = at[e], second = at[E + e];
        at[e] = first * cos[e] - second * sin[e];
        at[E + e] = second * cos[e] + first * sin[e];
      }
    }
  }
}

}  // namespace

extern "C" void rotary_packed_in_place(float* q, float* k, const float* cosines, const float* sines, int64_t T, int64_t H, int64_t E,
                                       int64_t G) {
  turn(q, cosines, sines, T, H, E);
  turn(k, cosines, sines, T, G, E);
}
