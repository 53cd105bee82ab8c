// SPDX-License-Identifier: Apache-2.0
#include "blocks/heads.h"

#include "kernel.h"

extern "C" void kv_cached_attention(const float* q, const float* keys, const float* values, float* o, int64_t B, int64_t N, int64_t D,
                                    int64_t S) {
  const float scale = 1 / std::sqrt(static_cast<float>(D));
#pragma omp parallel for
  for (int64_t b = 0; b < B; ++b)
    blocks::attend_few(N, S, D, D, scale, {q + b * N * D, D}, {keys + b * S * D, D}, {values + b * S * D, D}, o + b * N * D);
}
