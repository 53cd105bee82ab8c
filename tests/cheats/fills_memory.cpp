// SPDX-License-Identifier: Apache-2.0
// cheat: 48
// task: relu
// stage: test
// expect: MEMORY_LIMIT
// because: more memory than the limit
// Allocates until it is refused, and a kernel that is refused dies by the library's own exception.
#include <vector>

#include "kernel.h"

void relu(const float*, float* y, int64_t, int64_t) {
  std::vector<std::vector<char>> all;
  while (true) all.emplace_back(std::size_t{64} << 20);
  y[0] = static_cast<float>(all.size());
}
