// SPDX-License-Identifier: Apache-2.0
// cheat: 49
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// because: constexpr
// A constant that takes ten thousand million steps: the compiler's own limit ends it.
#include "kernel.h"

constexpr unsigned long count() {
  unsigned long sum = 0;
  for (unsigned long i = 0; i < 10000000000ul; ++i) sum += i;
  return sum;
}
constexpr unsigned long answer = count();

void relu(const float*, float* y, int64_t, int64_t) { y[0] = answer; }
