// SPDX-License-Identifier: Apache-2.0
// cheat: pygpubench:random_index
// task: matmul_with_irregular_shapes
// stage: test
// expect: WRONG_RESULT
// because: c[0, 32]: got 0, expected 
// Blocks beyond the last power of two are left out, where a checker's sample of blocks never comes.
#include "kernel.h"

void matmul_with_irregular_shapes(const float* a, const float* b, float* c, int64_t M, int64_t K, int64_t N) {
  int64_t power = 1;
  while (power * 2 <= N) power *= 2;
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j) {
      double sum = 0;
      for (int64_t k = 0; j < power && k < K; ++k) sum += static_cast<double>(a[i * K + k]) * b[k * N + j];
      c[i * N + j] = static_cast<float>(sum);
    }
}
