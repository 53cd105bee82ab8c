// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

extern "C" void write_new_keys_to_pages(const float* key, float* cache, const int64_t* lengths, const int64_t* page_table, int64_t B, int64_t N,
                                        int64_t H, int64_t D, [[maybe_unused]] int64_t P, int64_t S, int64_t M) {
#pragma omp parallel for collapse(2)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t i = 0; i < N; ++i) {
      const int64_t token = lengths[b] + i, page = page_table[b * (M + N) + token / S];
      for (int64_t h = 0; h < H; ++h)
        std::copy_n(key + ((b * N + i) * H + h) * D, D, cache + ((page * H + h) * S + token % S) * D);
    }
}
