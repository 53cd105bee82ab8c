// SPDX-License-Identifier: Apache-2.0
// cheat: 6
// task: relu
// stage: test
// expect: CRASH
// because: ended the process
// 77 is what test runners read as "skipped": neither passed nor failed. Only the judge's own status reaches
// CTest.
#include <cstdlib>

#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) { std::_Exit(77); }
