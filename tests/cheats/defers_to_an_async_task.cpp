// SPDX-License-Identifier: Apache-2.0
// cheat: 24
// task: relu
// stage: test
// expect: WRONG_RESULT|MEMORY_LIMIT
// because: smallest: y[0, 0]: got nan
// because: more memory than the limit
// A future that nobody waits for, kept alive so that its destructor does not wait either. On
// machines of many processors the C library gives each sleeping thread an arena, and memory may end first.
#include <unistd.h>

#include <future>
#include <vector>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  static auto* pending = new std::vector<std::future<void>>;
  pending->push_back(std::async(std::launch::async, [=] {
    usleep(5000000);
    for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
  }));
}
