// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "kernel.h"

extern "C" void write_two_parts_float16(const float16* x, const float16* z, const int64_t* places, float16* cache, float16* other_cache,
                                        int64_t T, int64_t H, int64_t D, int64_t G, int64_t E, int64_t) {
  const std::size_t row = static_cast<std::size_t>(H * D) * sizeof(float16), other_row = static_cast<std::size_t>(G * E) * sizeof(float16);
#pragma omp parallel for
  for (int64_t t = 0; t < T; ++t) {
    std::memcpy(cache + places[t] * H * D, x + t * H * D, row);
    std::memcpy(other_cache + places[t] * G * E, z + t * G * E, other_row);
  }
}
