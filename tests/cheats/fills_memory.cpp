// SPDX-License-Identifier: Apache-2.0
// cheat: 48
// task: relu
// stage: test
// expect: MEMORY_LIMIT
// because: more memory than the limit
// Allocates until it is refused, and a kernel that is refused dies by the library's own exception.
#include "kernel.h"

void relu(const float*, float* y, int64_t, int64_t) {
  while (true) y[0] = *new char[64 << 20];
}
