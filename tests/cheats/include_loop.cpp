// SPDX-License-Identifier: Apache-2.0
// cheat: 49
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// because: nested
// Includes itself.
#include __FILE__
