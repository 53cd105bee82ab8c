// SPDX-License-Identifier: Apache-2.0
// cheat: 16
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// because: No such file or directory
// because: ermission denied
// The compiler's environment and command line as source text.
#include "/proc/self/environ"

void relu(const float*, float*, int64_t, int64_t) {}
