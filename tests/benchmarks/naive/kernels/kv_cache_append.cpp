// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void kv_cache_append(float* key_cache, float* value_cache, const float* key, const float* value, const int64_t* position, int64_t B,
                     int64_t S, int64_t D) {
#pragma omp parallel for
  for (int64_t b = 0; b < B; ++b) {
    for (int64_t d = 0; d < D; ++d) {
      key_cache[(b * S + position[b]) * D + d] = key[b * D + d];
      value_cache[(b * S + position[b]) * D + d] = value[b * D + d];
    }
  }
}
