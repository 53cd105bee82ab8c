// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void rotary_by_given_tables(const float* x, const float* cosines, const float* sines, float* y, int64_t B, int64_t H, int64_t T,
                            int64_t E) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t head = 0; head < B * H; ++head)
    for (int64_t t = 0; t < T; ++t) {
      const float *cos = cosines + t * 2 * E, *sin = sines + t * 2 * E, *from = x + (head * T + t) * 2 * E;
      float* to = y + (head * T + t) * 2 * E;
#pragma omp simd
      for (int64_t e = 0; e < E; ++e) {
        to[e] = from[e] * cos[e] - from[E + e] * sin[e];
        to[E + e] = from[E + e] * cos[E + e] + from[e] * sin[E + e];
      }
    }
}
