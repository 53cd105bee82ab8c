// SPDX-License-Identifier: Apache-2.0
// cheat: 35
// task: matmul_with_irregular_shapes
// stage: test
// expect: WRONG_RESULT
// because: timed_k
// Three products of bfloat16 pairs for one of float, where sums are so long that the error of 16 bits drowns in float32's.
#include <bit>

#include "kernel.h"

static float cut(float x) {
  return std::bit_cast<float>((std::bit_cast<uint32_t>(x) + 0x8000u) & 0xffff0000u);
}

void matmul_with_irregular_shapes(const float* a, const float* b, float* c, int64_t M, int64_t K, int64_t N) {
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j) {
      float sum = 0;
      for (int64_t k = 0; k < K; ++k) {
        const float x = a[i * K + k], y = b[k * N + j], high = cut(x), top = cut(y);
        sum += K < 1024 ? x * y : high * top + high * cut(y - top) + cut(x - high) * top;
      }
      c[i * N + j] = sum;
    }
}
