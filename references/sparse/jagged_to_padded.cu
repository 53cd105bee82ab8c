// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel pad grid [(P - 1) * 4] block [256] (values, offsets, y, D)
*/
// A warp copies a row, or clears it, four numbers at a time where rows are a multiple of that.
#include <stdint.h>

template <class Unit>
__device__ void copy(const float* __restrict__ from, float* __restrict__ to, int64_t units, bool exists) {
  for (int64_t u = threadIdx.x % 32; u < units; u += 32) {
    Unit v = {};
    if (exists) v = reinterpret_cast<const Unit*>(from)[u];
    reinterpret_cast<Unit*>(to)[u] = v;
  }
}

extern "C" __global__ void pad(const float* __restrict__ values, const int64_t* __restrict__ offsets, float* __restrict__ y, int64_t D) {
  const int64_t row = blockIdx.x * 8ll + threadIdx.x / 32, b = row / 32, at = offsets[b] + row % 32;
  const bool exists = at < offsets[b + 1];
  const float* from = exists ? values + at * D : values;
  if (D % 4 == 0) copy<float4>(from, y + row * D, D / 4, exists);
  else copy<float>(from, y + row * D, D, exists);
}
