// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// Forges what the compiler's driver says last where somebody has killed the compiler.
#line 0 "g++"
#include "Killed signal terminated program cc1plus"
