// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void rotary_half_split(const float* x, const float* cosines, const float* sines, float* y, int64_t B, int64_t S, int64_t H, int64_t E) {
#pragma omp parallel for
  for (int64_t b = 0; b < B; ++b) {
    for (int64_t s = 0; s < S; ++s) {
      for (int64_t h = 0; h < H; ++h) {
        const float* from = x + ((b * S + s) * H + h) * 2 * E;
        float* to = y + ((b * S + s) * H + h) * 2 * E;
        for (int64_t e = 0; e < E; ++e) {
          to[e] = from[e] * cosines[s * E + e] - from[E + e] * sines[s * E + e];
          to[E + e] = from[E + e] * cosines[s * E + e] + from[e] * sines[s * E + e];
        }
      }
    }
  }
}
