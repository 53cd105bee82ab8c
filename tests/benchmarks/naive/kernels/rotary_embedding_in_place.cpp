// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

static void rotate(float* head, const float* cosines, const float* sines) {
  for (int64_t i = 0; i < 32; ++i) {
    float first = head[i], second = head[32 + i];
    head[i] = first * cosines[i] - second * sines[i];
    head[32 + i] = second * cosines[i] + first * sines[i];
  }
}

void rotary_embedding_in_place(float* q, float* k, const float* cosines, const float* sines, int64_t B, int64_t S, int64_t H) {
#pragma omp parallel for
  for (int64_t b = 0; b < B; ++b) {
    for (int64_t s = 0; s < S; ++s) {
      for (int64_t h = 0; h < H; ++h) {
        rotate(q + ((b * S + s) * H + h) * 64, cosines + s * 32, sines + s * 32);
        rotate(k + ((b * S + s) * H + h) * 64, cosines + s * 32, sines + s * 32);
      }
    }
  }
}
