// SPDX-License-Identifier: Apache-2.0
// cheat: 49
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// Two gigabytes of initialised data: the files that a compiler writes are limited.
#include "kernel.h"

asm(".data\nhuge: .fill 2000000000, 1, 1\n.text\n");

void relu(const float*, float*, int64_t, int64_t) {}
