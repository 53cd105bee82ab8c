// SPDX-License-Identifier: Apache-2.0
// cheat: 16
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// The assembler's view of /proc and of the machine's files, by its own directive for source text.
#include "kernel.h"

asm(".include \"/etc/passwd\"\n");

void relu(const float*, float*, int64_t, int64_t) {}
