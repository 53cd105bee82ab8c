// SPDX-License-Identifier: Apache-2.0
#include "blocks/heads.h"

#include "kernel.h"

extern "C" void scaled_dot_product_attention(const float* q, const float* k, const float* v, float* o, int64_t B, int64_t H, int64_t N,
                                             int64_t D) {
  blocks::attend_heads(B * H, N, N, 1, 1, D, {q, D}, {k, D}, {v, D}, o, blocks::whole(N));
}
