// SPDX-License-Identifier: Apache-2.0
// task: relu
// Six megabytes on the stack of each of four threads.
#include <thread>
#include <vector>

#include "kernel.h"

static void part(const float* x, float* y, int64_t begin, int64_t end) {
  float scratch[6 << 18];
  for (int64_t i = 0; i < (6 << 18); i += 1024) scratch[i] = 1;
  asm volatile("" : : "r"(scratch) : "memory");
  for (int64_t i = begin; i < end; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}

void relu(const float* x, float* y, int64_t N, int64_t C) {
  std::vector<std::thread> threads;
  for (int64_t t = 0; t < 4; ++t) threads.emplace_back(part, x, y, N * C * t / 4, N * C * (t + 1) / 4);
  for (std::thread& thread : threads) thread.join();
}
