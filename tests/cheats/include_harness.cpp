// SPDX-License-Identifier: Apache-2.0
// cheat: 16
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// because: No such file or directory
// because: Permission denied
// Includes the header that judge and box share.
#include HARNESS_FILE

void relu(const float*, float*, int64_t, int64_t) {}
