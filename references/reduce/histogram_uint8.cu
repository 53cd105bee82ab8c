// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel clear       grid [1]   block [256] (y)
   kernel count_bytes grid [396] block [512] (x, y, long(H * W))
*/
#include "blocks/counts.cuh"

constexpr int kValues = 256;

extern "C" __global__ void clear(int* y) { y[threadIdx.x] = 0; }

extern "C" __global__ void __launch_bounds__(kThreads, kBlocksEach)
    count_bytes(const uint8_t* __restrict__ x, unsigned* y, int64_t pixels) {
  __shared__ unsigned table[kValues * 32];
  Counts counts(table, kValues, 32);
  const auto of_word = [&](unsigned four) {
    for (int k = 0; k < 4; ++k) counts.add(four >> 8 * k & 255);
  };
  each_unit(reinterpret_cast<const uint4*>(x), pixels / 16, [&](uint4 v) {
    of_word(v.x);
    of_word(v.y);
    of_word(v.z);
    of_word(v.w);
  });
  if (blockIdx.x == 0 && threadIdx.x < pixels % 16) counts.add(x[pixels / 16 * 16 + threadIdx.x]);
  counts.flush(y);
}
