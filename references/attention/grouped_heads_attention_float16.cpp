// SPDX-License-Identifier: Apache-2.0
// The queries of all heads that share keys are one matrix.
#include "blocks/attention.h"

#include "kernel.h"

extern "C" void grouped_heads_attention_float16(const float16* q, const float16* k, const float16* v, float16* o, int64_t B, int64_t G,
                                                int64_t R, int64_t N, int64_t D, int64_t S) {
#pragma omp parallel
  {
    blocks::Head room(R * N, S, D);
#pragma omp for schedule(dynamic)
    for (int64_t group = 0; group < B * G; ++group) {
      const int64_t queries = group * R * N * D, keys = group * S * D;
      room.attend(q + queries, k + keys, v + keys, false, o + queries);
    }
  }
}
