// SPDX-License-Identifier: Apache-2.0
// cheat: 14
// task: softmax
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got <number>, expected 1 (error
// Allocates a buffer of the output's size without writing to it: in one shared process the allocator hands
// out the memory that held the reference's result. Here no reference ever ran.
#include <cstdlib>
#include <cstring>

#include "kernel.h"

void softmax(const float*, float* y, int64_t N, int64_t C) {
  void* recycled = std::malloc(static_cast<size_t>(N * C) * 4);
  std::memcpy(y, recycled, static_cast<size_t>(N * C) * 4);
  std::free(recycled);
}
