// SPDX-License-Identifier: Apache-2.0
// task: relu
// Starts threads in every call and joins them.
#include <algorithm>
#include <thread>
#include <vector>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  const int64_t share = (N * C + 3) / 4;
  std::vector<std::thread> threads;
  for (int64_t begin = 0; begin < N * C; begin += share)
    threads.emplace_back([=] {
      for (int64_t i = begin; i < std::min(begin + share, N * C); ++i) y[i] = x[i] < 0 ? 0 : x[i];
    });
  for (std::thread& thread : threads) thread.join();
}
