// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: PASS
// A weak import whose name has 40,000 letters, for judges that match names by recursion. Nothing is wrong with it but its length.
#include "kernel.h"

#define TEN(x) x x x x x x x x x x
#define LONG TEN(TEN(TEN(TEN("aaaa"))))
extern "C" __attribute__((weak)) void nobody() asm(LONG);

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] > 0 || x[i] != x[i] ? x[i] : 0;
  if (nobody != nullptr) nobody();
}
