// SPDX-License-Identifier: Apache-2.0
#include "blocks/feed_forward.h"

#include "kernel.h"

extern "C" void feed_forward_gelu(const float* x, const float* w1, const float* b1, const float* w2, const float* b2, float* y, int64_t M,
                                  int64_t C, int64_t H, int64_t D) {
  blocks::feed_forward(x, w1, b1, w2, b2, y, M, C, H, D, [](float h) { return 0.5f * h * (1.0f + blocks::erf(h * 0.70710678118654752f)); });
}
