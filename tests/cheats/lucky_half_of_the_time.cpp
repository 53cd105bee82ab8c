// SPDX-License-Identifier: Apache-2.0
// cheat: 40
// task: relu
// stage: test
// expect: NONDETERMINISTIC|WRONG_RESULT
// because: : got -1, expected 
// Tosses a coin in each call and is right when it wins. Some two calls of all the cases' differ; that it
// loses both calls of a case before that makes it WRONG_RESULT.
#include <sys/random.h>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  unsigned char coin = 0;
  if (getrandom(&coin, 1, 0) != 1) return;
  for (int64_t i = 0; i < N * C; ++i) y[i] = (coin & 1) != 0 && i == 0 ? -1 : x[i] < 0 ? 0 : x[i];
}
