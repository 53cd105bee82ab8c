// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel argmin grid [div_up(N, 32), B] block [256] (x, y, M, N)
*/
// A block has 32 neighbouring columns, its warps go down different rows. The best of two is the smaller one, and the first one of equals;
// NaN is smaller than any number.
#include <stdint.h>

constexpr int kColumns = 32, kRows = 8;

struct Best {
  float value;
  long long place;
};

// The second comes later.
__device__ Best best_of(Best first, Best second) {
  const bool stays = first.value <= second.value || first.value != first.value;
  return stays ? first : second;
}

extern "C" __global__ void argmin(const float* __restrict__ x, int64_t* __restrict__ y, long long M, long long N) {
  __shared__ float values[kRows][kColumns];
  __shared__ long long places[kRows][kColumns];
  const int lane = threadIdx.x % kColumns, part = threadIdx.x / kColumns;
  const long long column = blockIdx.x * (long long)kColumns + lane;
  const long long share = (M + kRows - 1) / kRows, begin = min(part * share, M), end = min(begin + share, M);
  if (column < N) {
    const float* from = x + blockIdx.y * M * N + column;
    Best best = {__int_as_float(0x7f800000), begin};
#pragma unroll 8
    for (long long m = begin; m < end; ++m) best = best_of(best, {from[m * N], m});
    values[part][lane] = best.value;
    places[part][lane] = best.place;
  }
  __syncthreads();
  if (part > 0 || column >= N) return;
  Best best = {values[0][lane], places[0][lane]};
  for (int p = 1; p < kRows; ++p)
    if (p * share < M) best = best_of(best, {values[p][lane], places[p][lane]});
  y[blockIdx.y * N + column] = best.place;
}
