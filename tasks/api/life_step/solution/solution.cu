// SPDX-License-Identifier: Apache-2.0
#include "life_step.h"

#include <algorithm>

static constexpr int kThreads = 256;

// A thread goes down its column, and keeps the sums of three rows of three: each row is read once.
static __global__ void step(const unsigned char* cells, unsigned char* next, int width, int height, int rows_each) {
  const int x = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (x >= width) return;
  const int left = x > 0 ? x - 1 : width - 1, right = x + 1 < width ? x + 1 : 0;
  const auto three = [&](int y) {
    const unsigned char* row = cells + static_cast<std::size_t>(y) * width;
    return row[left] + row[x] + row[right];
  };
  for (long long begin = static_cast<long long>(blockIdx.y) * rows_each; begin < height; begin += static_cast<long long>(gridDim.y) * rows_each) {
    const int first = static_cast<int>(begin), end = static_cast<int>(min(begin + rows_each, static_cast<long long>(height)));
    int above = three(first > 0 ? first - 1 : height - 1), here = three(first);
    for (int y = first; y < end; ++y) {
      const int below = three(y + 1 < height ? y + 1 : 0);
      const std::size_t at = static_cast<std::size_t>(y) * width + x;
      const int alive = cells[at], near = above + here + below - alive;
      next[at] = near == 3 || (near == 2 && alive == 1);
      above = here;
      here = below;
    }
  }
}

cudaError_t life_step(const unsigned char* cells, unsigned char* next, int width, int height, cudaStream_t stream) {
  constexpr int kRowsEach = 16, kMostBlocks = 65535;
  const dim3 grid((width - 1) / kThreads + 1, std::min((height - 1) / kRowsEach + 1, kMostBlocks));
  step<<<grid, kThreads, 0, stream>>>(cells, next, width, height, kRowsEach);
  return cudaGetLastError();
}
