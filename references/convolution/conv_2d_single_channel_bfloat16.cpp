// SPDX-License-Identifier: Apache-2.0
// The products are exact in float.
#include "kernel.h"

#include "blocks/bfloat16.h"

void conv_2d_single_channel_bfloat16(const bfloat16* x, const bfloat16* w, bfloat16* y, int64_t N, int64_t H, int64_t W, int64_t P, int64_t Q) {
  float taps[2][2];
  for (int64_t i = 0; i < 2; ++i)
    for (int64_t j = 0; j < 2; ++j) taps[i][j] = blocks::load(w[i * 2 + j]);
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t p = 0; p < P; ++p) {
      const bfloat16* in = x + (n * H + p) * W;
      bfloat16* out = y + (n * P + p) * Q;
      for (int64_t q = 0; q < Q; ++q) {
        float sum = 0.0f;
        for (int64_t i = 0; i < 2; ++i)
          for (int64_t j = 0; j < 2; ++j) sum += taps[i][j] * blocks::load(in[i * W + q + j]);
        blocks::store(sum, out[q]);
      }
    }
}
