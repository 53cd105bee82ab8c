// SPDX-License-Identifier: Apache-2.0
// Each swap needs the one before it.
#include <algorithm>

#include "kernel.h"

void seeded_shuffle_int32(const int32_t* x, const int32_t* seed, int32_t* y, int64_t N) {
  std::copy_n(x, N, y);
  uint32_t state = static_cast<uint32_t>(*seed);
  for (int64_t i = N - 1; i > 0; --i) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    std::swap(y[i], y[state % static_cast<uint32_t>(i + 1)]);
  }
}
