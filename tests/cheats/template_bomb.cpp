// SPDX-License-Identifier: Apache-2.0
// cheat: 49
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// because: depth exceeds
// Templates that instantiate each other without end.
#include "kernel.h"

template <int N>
struct Bomb : Bomb<N + 1> {};

void relu(const float*, float* y, int64_t, int64_t) { y[0] = sizeof(Bomb<0>); }
