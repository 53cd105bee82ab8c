// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// because: multiple definition of `_init'
// Replaces the library's start-up code.
#include "kernel.h"

extern "C" void _init() {}

void relu(const float*, float*, int64_t, int64_t) {}
