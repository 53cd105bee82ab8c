// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: compile
// expect: POLICY
// because: asks for cblas_aaaa
// The same where the name belongs to a numerical library: the judge quotes its beginning.
#include "kernel.h"

#define TEN(x) x x x x x x x x x x
#define LONG TEN(TEN(TEN(TEN("aaaa"))))
extern "C" __attribute__((weak)) void nobody() asm("cblas_" LONG);

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] > 0 || x[i] != x[i] ? x[i] : 0;
  if (nobody != nullptr) nobody();
}
