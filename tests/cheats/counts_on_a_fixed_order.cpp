// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: bench
// expect: WRONG_RESULT
// because: timed call
// Assumes that timed inputs come from one fixed list, as in the launch before, and serves the first call's
// result in all of them.
#include <cstring>
#include <vector>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  static std::vector<float>* first = new std::vector<float>;
  const bool timed = N * C > 1000000;
  if (timed && !first->empty()) {
    std::memcpy(y, first->data(), first->size() * 4);
    return;
  }
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
  if (timed) first->assign(y, y + N * C);
}
