// SPDX-License-Identifier: Apache-2.0
// Five products for some queries of a head and the keys up to the last of them at a time: blocks/attention_backward.h.
#include "blocks/attention_backward.h"

#include "kernel.h"

extern "C" void causal_attention_backward(const float* q, const float* k, const float* v, const float* dy, float* dq, float* dk, float* dv,
                                          int64_t H, int64_t N, int64_t D) {
  blocks::attention_backward(H, N, N, D, true, q, k, v, dy, dq, dk, dv);
}
