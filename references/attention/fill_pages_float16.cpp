// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

extern "C" void fill_pages_float16(const float16* key, const float16* value, float16* key_cache, float16* value_cache, const int64_t* offsets,
                                   const int64_t* cached, const int64_t* page_table, [[maybe_unused]] int64_t T, int64_t H, int64_t D,
                                   [[maybe_unused]] int64_t P, int64_t S, int64_t B, int64_t M, int64_t L) {
  const int64_t row = H * D;
#pragma omp parallel for schedule(dynamic)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t t = offsets[b]; t < offsets[b + 1]; ++t) {
      const int64_t token = t - offsets[b] + cached[b], at = (page_table[b * (M + L) + token / S] * S + token % S) * row;
      std::copy_n(key + t * row, row, key_cache + at);
      std::copy_n(value + t * row, row, value_cache + at);
    }
}
