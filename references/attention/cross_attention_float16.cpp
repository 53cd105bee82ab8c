// SPDX-License-Identifier: Apache-2.0
#include "blocks/attention.h"

#include "kernel.h"

extern "C" void cross_attention_float16(const float16* q, const float16* k, const float16* v, float16* o, int64_t B, int64_t H,
                                        int64_t N, int64_t D, int64_t S) {
#pragma omp parallel
  {
    blocks::Head room(N, S, D);
#pragma omp for schedule(dynamic)
    for (int64_t head = 0; head < B * H; ++head)
      room.attend(q + head * N * D, k + head * S * D, v + head * S * D, false, o + head * N * D);
  }
}
