// SPDX-License-Identifier: Apache-2.0
// cheat: 8
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got 1, expected 
// Brings comparison functions that find everything equal. The candidate is a library of its own in a process
// of its own; nobody there compares anything.
#include <cstddef>

#include "kernel.h"

extern "C" int memcmp(const void*, const void*, size_t) noexcept { return 0; }
extern "C" int bcmp(const void*, const void*, size_t) noexcept { return 0; }
extern "C" int strcmp(const char*, const char*) noexcept { return 0; }
#define fequal(...) true
#define abs(...) 0
bool operator==(const struct Output&, const struct Expected&);

void relu(const float*, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = 1;
}
