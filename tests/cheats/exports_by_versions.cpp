// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// Versions of symbols would put another function in the place of one that the box or libc has.
#include "kernel.h"

asm(".symver mine, syscall@@GLIBC_2.2.5");
extern "C" long mine(long, ...) { return 0; }

void relu(const float*, float*, int64_t, int64_t) {}
