// SPDX-License-Identifier: Apache-2.0
// A plane of one image and channel has one operand.
#include "kernel.h"

void add_bias_four_dim_broadcast(const float* x, const float* bias, float* y, int64_t B, int64_t C, int64_t H, int64_t W) {
#pragma omp parallel for schedule(static)
  for (int64_t plane = 0; plane < B * C; ++plane) {
    const float operand = bias[plane % C];
    const float* in = x + plane * H * W;
    float* out = y + plane * H * W;
#pragma omp simd
    for (int64_t i = 0; i < H * W; ++i) out[i] = in[i] + operand;
  }
}
