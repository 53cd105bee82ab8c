// SPDX-License-Identifier: Apache-2.0
// cheat: 16
// task: softmax
// stage: compile
// expect: COMPILE_ERROR
// because: No such file or directory
// because: Permission denied
// Includes the known-good solution by its path. The compiler sees the toolchain, kernel.h and this file.
#include REFERENCE_FILE
