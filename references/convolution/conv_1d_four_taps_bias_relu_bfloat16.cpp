// SPDX-License-Identifier: Apache-2.0
// The products are exact in float.
#include "kernel.h"

#include "blocks/bfloat16.h"

void conv_1d_four_taps_bias_relu_bfloat16(const bfloat16* x, const bfloat16* w, const bfloat16* b, bfloat16* y, int64_t N, int64_t L, int64_t M) {
  const float bias = blocks::load(b[0]);
  float taps[4];
  for (int64_t k = 0; k < 4; ++k) taps[k] = blocks::load(w[k]);
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const bfloat16* in = x + n * L;
    bfloat16* out = y + n * M;
    for (int64_t m = 0; m < M; ++m) {
      float sum = bias;
      for (int64_t k = 0; k < 4; ++k) sum += taps[k] * blocks::load(in[m + k]);
      blocks::store(sum < 0.0f ? 0.0f : sum, out[m]);
    }
  }
}
