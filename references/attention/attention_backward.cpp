// SPDX-License-Identifier: Apache-2.0
// Five products for some queries of a head at a time: blocks/attention_backward.h.
#include "blocks/attention_backward.h"

#include "kernel.h"

extern "C" void attention_backward(const float* q, const float* k, const float* v, const float* dy, float* dq, float* dk, float* dv,
                                   int64_t H, int64_t N, int64_t D, int64_t S) {
  blocks::attention_backward(H, N, S, D, false, q, k, v, dy, dq, dk, dv);
}
