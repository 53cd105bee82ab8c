// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

namespace {

constexpr int64_t kHalf = 32;

void rotate(float* head, const float* cosines, const float* sines) {
#pragma omp simd
  for (int64_t i = 0; i < kHalf; ++i) {
    const float first = head[i], second = head[kHalf + i];
    head[i] = first * cosines[i] - second * sines[i];
    head[kHalf + i] = second * cosines[i] + first * sines[i];
  }
}

}  // namespace

extern "C" void rotary_embedding_in_place(float* q, float* k, const float* cosines, const float* sines, int64_t B, int64_t S, int64_t H) {
#pragma omp parallel for collapse(2)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t s = 0; s < S; ++s)
      for (int64_t h = 0; h < H; ++h) {
        const int64_t head = ((b * S + s) * H + h) * 2 * kHalf;
        rotate(q + head, cosines + s * kHalf, sines + s * kHalf);
        rotate(k + head, cosines + s * kHalf, sines + s * kHalf);
      }
}
