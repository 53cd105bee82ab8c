// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

namespace {

void turn(float* x, const float* cosines, const float* sines, int64_t T, int64_t heads, int64_t E) {
#pragma omp parallel for
  for (int64_t t = 0; t < T; ++t) {
    const float *cos = cosines + t * 2 * E, *sin = sines + t * 2 * E;
    for (int64_t h = 0; h < heads; ++h) {
      float* at = x + (t * heads + h) * 2 * E;
#pragma omp simd
      for (int64_t e = 0; e < E; ++e) {
        const float even = at[2 * e], odd = at[2 * e + 1];
        at[2 * e] = even * cos[2 * e] - odd * sin[2 * e];
        at[2 * e + 1] = odd * cos[2 * e + 1] + even * sin[2 * e + 1];
      }
    }
  }
}

}  // namespace

extern "C" void rotary_pairs_in_place(float* q, float* k, const float* cosines, const float* sines, int64_t T, int64_t H, int64_t E,
                                      int64_t G) {
  turn(q, cosines, sines, T, H, E);
  turn(k, cosines, sines, T, G, E);
}
