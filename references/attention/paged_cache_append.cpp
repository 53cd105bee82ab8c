// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

extern "C" void paged_cache_append(const float* key, const float* value, float* key_cache, float* value_cache, const int64_t* lengths,
                                   const int64_t* page_table, int64_t B, int64_t H, int64_t D, [[maybe_unused]] int64_t P, int64_t S,
                                   int64_t M) {
#pragma omp parallel for
  for (int64_t b = 0; b < B; ++b) {
    const int64_t token = lengths[b] - 1, page = page_table[b * M + token / S];
    for (int64_t h = 0; h < H; ++h) {
      const int64_t at = ((page * H + h) * S + token % S) * D;
      std::copy_n(key + (b * H + h) * D, D, key_cache + at);
      std::copy_n(value + (b * H + h) * D, D, value_cache + at);
    }
  }
}
