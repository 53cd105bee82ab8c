// SPDX-License-Identifier: Apache-2.0
// cheat: KernelBench:result_reuse_kernel
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: : got 0, expected <number> (error
// Allocates a new result, leaves it unwritten, and hands out what lay there.
#include <cstring>
#include <vector>

#include "kernel.h"

void relu(const float*, float* y, int64_t N, int64_t C) {
  static std::vector<float>* last = new std::vector<float>;
  last->resize(static_cast<size_t>(N * C));
  std::memcpy(y, last->data(), last->size() * 4);
}
