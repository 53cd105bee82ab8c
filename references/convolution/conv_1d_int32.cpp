// SPDX-License-Identifier: Apache-2.0
// Unsigned arithmetic wraps.
#include "kernel.h"

void conv_1d_int32(const int32_t* x, const int32_t* w, int32_t* y, int64_t N, int64_t L, int64_t M) {
  const uint32_t taps[3] = {static_cast<uint32_t>(w[0]), static_cast<uint32_t>(w[1]), static_cast<uint32_t>(w[2])};
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const int32_t* in = x + n * L;
    int32_t* out = y + n * M;
#pragma omp simd
    for (int64_t m = 0; m < M; ++m) {
      uint32_t sum = 0;
      for (int64_t k = 0; k < 3; ++k) sum += static_cast<uint32_t>(in[m + k]) * taps[k];
      out[m] = static_cast<int32_t>(sum);
    }
  }
}
