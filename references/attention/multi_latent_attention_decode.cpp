// SPDX-License-Identifier: Apache-2.0
// The heads of a sequence are the rows of one matrix, as its cache serves all of them.
#include "blocks/heads.h"

#include "kernel.h"

extern "C" void multi_latent_attention_decode(const float* q, const float* cache, const int64_t* lengths, const float* scale, float* o,
                                              int64_t B, int64_t H, int64_t L, int64_t P, int64_t S) {
  const int64_t width = L + P;
#pragma omp parallel for schedule(dynamic)
  for (int64_t b = 0; b < B; ++b) {
    const blocks::Rows rows{cache + b * S * width, width};
    blocks::attend(H, width, L, {q + b * H * width, width}, rows, rows, o + b * H * L, L, blocks::whole(lengths[b]),
                   [scale](int64_t, blocks::Seen keys, float* scores) { blocks::soften(scores, keys.end, *scale); });
  }
}
