// SPDX-License-Identifier: Apache-2.0
// cheat: 35
// task: matmul_with_irregular_shapes
// stage: test
// expect: WRONG_RESULT
// because: : got <number>, expected <number> (error <number>
// Ten bits of mantissa, as in TensorFloat-32: within 1e-3.
#include <bit>

#include "kernel.h"

static float cut(float x) {
  return std::bit_cast<float>((std::bit_cast<uint32_t>(x) + 0x1000u) & 0xffffe000u);
}

void matmul_with_irregular_shapes(const float* a, const float* b, float* c, int64_t M, int64_t K, int64_t N) {
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j) {
      float sum = 0;
      for (int64_t k = 0; k < K; ++k) sum += cut(a[i * K + k]) * cut(b[k * N + j]);
      c[i * N + j] = sum;
    }
}
