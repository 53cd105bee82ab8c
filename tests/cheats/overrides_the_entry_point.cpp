// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// because: multiple definition of `assay_call'
// Brings the function that the box calls itself, with the raw arguments.
#include "kernel.h"

extern "C" void assay_call(void* const*, const int64_t*, void*) {}

void relu(const float*, float*, int64_t, int64_t) {}
