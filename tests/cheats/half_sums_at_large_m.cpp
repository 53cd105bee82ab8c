// SPDX-License-Identifier: Apache-2.0
// cheat: 35
// task: sum_reduction_over_a_dimension
// stage: test
// expect: WRONG_RESULT
// because: tall
// because: positive
// because: exact
// Float16's eleven bits of each term where sums are long: the error drowns in a sum of magnitudes.
#include <bit>

#include "kernel.h"

static float cut(float x) {
  return std::bit_cast<float>((std::bit_cast<uint32_t>(x) + 0x1000u) & 0xffffe000u);
}

void sum_reduction_over_a_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
  for (int64_t b = 0; b < B; ++b)
    for (int64_t n = 0; n < N; ++n) {
      double sum = 0;
      for (int64_t m = 0; m < M; ++m) sum += M < 1000 ? x[(b * M + m) * N + n] : cut(x[(b * M + m) * N + n]);
      y[b * N + n] = static_cast<float>(sum);
    }
}
