// SPDX-License-Identifier: Apache-2.0
// task: relu
// Futures, waited for.
#include <algorithm>
#include <future>
#include <vector>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  const int64_t share = (N * C + 3) / 4;
  std::vector<std::future<void>> parts;
  for (int64_t begin = 0; begin < N * C; begin += share)
    parts.push_back(std::async(std::launch::async, [=] {
      for (int64_t i = begin; i < std::min(begin + share, N * C); ++i) y[i] = x[i] < 0 ? 0 : x[i];
    }));
  for (auto& part : parts) part.get();
}
