// SPDX-License-Identifier: Apache-2.0
// task: relu
// 64 MB of aligned memory, written and freed in each call.
#include <cstdlib>
#include <cstring>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  constexpr size_t bytes = size_t{64} << 20;
  auto* scratch = static_cast<float*>(std::aligned_alloc(4096, bytes));
  std::memset(scratch, 0, bytes / 16);
  for (int64_t i = 0; i < N * C; ++i) scratch[i] = x[i] < 0 ? 0 : x[i];
  std::memcpy(y, scratch, static_cast<size_t>(N * C * 4));
  std::free(scratch);
}
