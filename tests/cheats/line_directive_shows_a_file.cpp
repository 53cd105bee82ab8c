// SPDX-License-Identifier: Apache-2.0
// cheat: 16
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// because: undeclared_here
// The compiler quotes the line of the file that #line names: an error at another file's line would print it.
#include "kernel.h"

#line 1 REFERENCE_FILE
void relu(const float*, float* y, int64_t, int64_t) { y[0] = undeclared_here; }
