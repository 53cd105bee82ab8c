// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

extern "C" void rotary_then_cache_in_place(float* q, const float* k, const float* v, const float* cosines, const float* sines,
                                           float* key_cache, float* value_cache, const int64_t* lengths, const int64_t* page_table, int64_t B,
                                           int64_t H, int64_t E, int64_t G, [[maybe_unused]] int64_t P, int64_t S, int64_t M) {
#pragma omp parallel for
  for (int64_t b = 0; b < B; ++b) {
    const float *cos = cosines + b * E, *sin = sines + b * E;
    for (int64_t h = 0; h < H; ++h) {
      float* at = q + (b * H + h) * 2 * E;
#pragma omp simd
      for (int64_t e = 0; e < E; ++e) {
        const float first = at[e], second = at[E + e];
        at[e] = first * cos[e] - second * sin[e];
        at[E + e] = second * cos[e] + first * sin[e];
      }
    }
    const int64_t token = lengths[b] - 1, page = page_table[b * M + token / S];
    for (int64_t g = 0; g < G; ++g) {
      const float* from = k + (b * G + g) * 2 * E;
      const int64_t slot = ((page * G + g) * S + token % S) * 2 * E;
#pragma omp simd
      for (int64_t e = 0; e < E; ++e) {
        key_cache[slot + e] = from[e] * cos[e] - from[E + e] * sin[e];
        key_cache[slot + E + e] = from[E + e] * cos[e] + from[e] * sin[e];
      }
      std::copy_n(v + (b * G + g) * 2 * E, 2 * E, value_cache + slot);
    }
  }
}
