// SPDX-License-Identifier: Apache-2.0
// cheat: 29
// task: matmul_with_irregular_shapes
// stage: bench
// expect: WRONG_RESULT
// because: timed call
// Full precision in the tests, bfloat16 products where time counts: the timed outputs are held to the same
// bounds.
#include <bit>

#include "kernel.h"

static float cut(float x) { return std::bit_cast<float>(std::bit_cast<uint32_t>(x) & 0xffff0000u); }

void matmul_with_irregular_shapes(const float* a, const float* b, float* c, int64_t M, int64_t K, int64_t N) {
  const bool timed = M * K * N > 50000000;
  for (int64_t i = 0; i < M; ++i) {
    for (int64_t j = 0; j < N; ++j) c[i * N + j] = 0;
    for (int64_t k = 0; k < K; ++k)
      for (int64_t j = 0; j < N; ++j)
        c[i * N + j] += timed ? cut(a[i * K + k]) * cut(b[k * N + j]) : a[i * K + k] * b[k * N + j];
  }
}
