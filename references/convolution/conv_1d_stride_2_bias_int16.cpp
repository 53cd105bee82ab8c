// SPDX-License-Identifier: Apache-2.0
// Two products of -32768 by -32768 make 2^31, which 32 bits do not hold.
#include <algorithm>

#include "kernel.h"

void conv_1d_stride_2_bias_int16(const int16_t* x, const int16_t* w, const int16_t* b, int16_t* y, int64_t N, int64_t L, int64_t M) {
  const int64_t first = w[0], second = w[1], bias = b[0];
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const int16_t* in = x + n * L;
    int16_t* out = y + n * M;
    for (int64_t m = 0; m < M; ++m) {
      const int64_t sum = in[2 * m] * first + in[2 * m + 1] * second + bias;
      out[m] = static_cast<int16_t>(std::clamp<int64_t>(sum, -32768, 32767));
    }
  }
}
