// SPDX-License-Identifier: Apache-2.0
// Words are the lower halves of 64 bits, so that neither products nor their halves change lanes.
#include "blocks/vectors.h"

#include "kernel.h"

extern "C" void philox_numbers(const int64_t* key, const int64_t* counters, uint32_t* y, int64_t N) {
  constexpr uint64_t low = 0xFFFFFFFF;
#pragma omp parallel for simd schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    uint64_t c0 = static_cast<uint64_t>(counters[n]), c1 = c0 >> 32, c2 = 0, c3 = 0;
    uint32_t k0 = static_cast<uint32_t>(*key), k1 = static_cast<uint32_t>(*key >> 32);
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round, k0 += 0x9E3779B9, k1 += 0xBB67AE85) {
      const uint64_t p0 = 0xD2511F53 * (c0 & low), p1 = 0xCD9E8D57 * (c2 & low);
      c0 = p1 >> 32 ^ c1 ^ k0;
      c1 = p1;
      c2 = p0 >> 32 ^ c3 ^ k1;
      c3 = p0;
    }
    y[4 * n] = static_cast<uint32_t>(c0);
    y[4 * n + 1] = static_cast<uint32_t>(c1);
    y[4 * n + 2] = static_cast<uint32_t>(c2);
    y[4 * n + 3] = static_cast<uint32_t>(c3);
  }
}
