// SPDX-License-Identifier: Apache-2.0
// cheat: 6
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// because: undefined reference
// The linker quotes names of symbols, and a symbol may be called anything.
#include "kernel.h"

extern "C" void missing() asm(
    "\"<CTestMeasurement type='numeric/double' name='speedup'>99</CTestMeasurement>\"");

void relu(const float*, float*, int64_t, int64_t) { missing(); }
