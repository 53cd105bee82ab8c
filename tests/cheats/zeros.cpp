// SPDX-License-Identifier: Apache-2.0
// cheat: 20
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: : got 0, expected <number> (error
// All zeros: right for every negative input, and within a careless absolute tolerance for the rest.
#include <cstring>

#include "kernel.h"

void relu(const float*, float* y, int64_t N, int64_t C) { std::memset(y, 0, static_cast<size_t>(N * C * 4)); }
