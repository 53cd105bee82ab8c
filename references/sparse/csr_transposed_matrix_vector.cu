// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel clear grid [div_up(C, 1024)] block [256] (y, C)
   kernel add   grid [div_up(R, 8)]    block [256] (row_pointers, columns, values, x, y, R)
*/
// A warp has a row, whose elements it adds to y: no two of them meet there. y stays in the cache of the device, and what streams past
// should not drive it out.
#include "blocks/clear.cuh"

extern "C" __global__ void clear(float* __restrict__ y, long long C) { clear_four(y, C); }

extern "C" __global__ void add(const int* __restrict__ row_pointers, const int* __restrict__ columns, const float* __restrict__ values,
                               const float* __restrict__ x, float* __restrict__ y, long long R) {
  const long long row = blockIdx.x * 8ll + threadIdx.x / 32;
  if (row >= R) return;
  const int begin = row_pointers[row], end = row_pointers[row + 1];
  const float factor = x[row];
#pragma unroll 4
  for (long long e = begin + threadIdx.x % 32; e < end; e += 32) atomicAdd(y + __ldcs(columns + e), __ldcs(values + e) * factor);
}
