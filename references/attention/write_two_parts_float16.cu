// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel write grid [T, min(div_up(H * D, 2048), 65535)] block [256] (x, places, cache, long(H * D))
   kernel write grid [T, min(div_up(G * E, 2048), 65535)] block [256] (z, places, other_cache, long(G * E))
*/
// A block copies a token's heads, or a part of them where they are many, eight numbers at a time where they are a multiple of that.
#include "kernel.h"

template <class Unit>
__device__ void copy(const float16* __restrict__ from, float16* __restrict__ to, int64_t units) {
  for (int64_t u = blockIdx.y * 256ll + threadIdx.x; u < units; u += gridDim.y * 256ll)
    reinterpret_cast<Unit*>(to)[u] = reinterpret_cast<const Unit*>(from)[u];
}

extern "C" __global__ void write(const float16* __restrict__ x, const int64_t* __restrict__ places, float16* __restrict__ cache,
                                 int64_t size) {
  const float16* from = x + blockIdx.x * size;
  float16* to = cache + places[blockIdx.x] * size;
  if (size % 8 == 0) copy<uint4>(from, to, size / 8);
  else copy<float16>(from, to, size);
}
