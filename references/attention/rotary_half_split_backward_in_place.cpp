// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

namespace {

void turn_back(float* x, const float* cosines, const float* sines, int64_t heads, int64_t S, int64_t E) {
#pragma omp parallel for
  for (int64_t row = 0; row < heads * S; ++row) {
    const float *cos = cosines + row % S * E, *sin = sines + row % S * E;
    float* at = x + row * 2 * E;
#pragma omp simd
    for (int64_t e = 0; e < E; ++e) {
      const float first = at[e], second = at[E + e];
      at[e] = first * cos[e] + second * sin[e];
      at[E + e] = second * cos[e] - first * sin[e];
    }
  }
}

}  // namespace

extern "C" void rotary_half_split_backward_in_place(float* dq, float* dk, const float* cosines, const float* sines, int64_t B, int64_t H,
                                                    int64_t S, int64_t E, int64_t G) {
  turn_back(dq, cosines, sines, B * H, S, E);
  turn_back(dk, cosines, sines, B * G, S, E);
}
