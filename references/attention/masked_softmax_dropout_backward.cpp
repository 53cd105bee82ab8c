// SPDX-License-Identifier: Apache-2.0
// Row by row, so that the second pass finds the row in cache.
#include "blocks/vectors.h"

#include "kernel.h"

extern "C" void masked_softmax_dropout_backward(const float* dy, const float* p, const bool* mask, const bool* kept, const float* rate,
                                                float* dx, int64_t B, int64_t H, int64_t N, int64_t S) {
  const float scale = 1 / (1 - *rate);
#pragma omp parallel for schedule(static)
  for (int64_t row = 0; row < B * H * N; ++row) {
    const float *in = dy + row * S, *weight = p + row * S;
    const uint8_t *own = reinterpret_cast<const uint8_t*>(kept) + row * S,  // GCC has no vectors of bool
        *shown = reinterpret_cast<const uint8_t*>(mask) + (row / (H * N) * N + row % N) * S;
    float* __restrict out = dx + row * S;
    float common = 0;
#pragma omp simd reduction(+ : common)
    for (int64_t s = 0; s < S; ++s) {
      out[s] = own[s] != 0 ? in[s] * scale : 0.0f;
      common += weight[s] * out[s];
    }
#pragma omp simd
    for (int64_t s = 0; s < S; ++s) {
      const float slope = weight[s] * (out[s] - common);
      out[s] = shown[s] != 0 ? slope : 0.0f;
    }
  }
}
