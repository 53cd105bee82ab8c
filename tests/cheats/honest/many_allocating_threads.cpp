// SPDX-License-Identifier: Apache-2.0
// task: relu
// 256 threads, each with memory of its own from the allocator.
#include <algorithm>
#include <memory>
#include <thread>
#include <vector>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  constexpr int64_t kThreads = 256;
  const int64_t count = N * C, share = (count + kThreads - 1) / kThreads;
  std::vector<std::thread> threads;
  for (int64_t t = 0; t < kThreads; ++t)
    threads.emplace_back([=] {
      const int64_t begin = std::min(count, t * share), end = std::min(count, begin + share);
      const auto part = std::make_unique<float[]>(static_cast<std::size_t>(end - begin) + 10000);
      for (int64_t i = begin; i < end; ++i) part[static_cast<std::size_t>(i - begin)] = x[i] < 0 ? 0 : x[i];
      std::copy_n(part.get(), end - begin, y + begin);
    });
  for (std::thread& thread : threads) thread.join();
}
