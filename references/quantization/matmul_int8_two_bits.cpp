// SPDX-License-Identifier: Apache-2.0
// Each row of b gives four rows of weights, which are added to a row of 32-bit sums, which takes vectors.
#include "kernel.h"

extern "C" void matmul_int8_two_bits(const int8_t* a, const uint8_t* b, int32_t* y, int64_t M, int64_t K, int64_t N) {
#pragma omp parallel for
  for (int64_t m = 0; m < M; ++m) {
    int32_t* __restrict sums = y + m * N;
    for (int64_t n = 0; n < N; ++n) sums[n] = 0;
    for (int64_t k = 0; k < K; ++k) {
      const int32_t a0 = a[m * 4 * K + k], a1 = a[(m * 4 + 1) * K + k], a2 = a[(m * 4 + 2) * K + k], a3 = a[(m * 4 + 3) * K + k];
      const int32_t all = a0 + a1 + a2 + a3;
      const uint8_t* codes = b + k * N;
      for (int64_t n = 0; n < N; ++n) {
        const int32_t code = codes[n];
        sums[n] += a0 * (code & 3) + a1 * (code >> 2 & 3) + a2 * (code >> 4 & 3) + a3 * (code >> 6) - all;
      }
    }
  }
}
