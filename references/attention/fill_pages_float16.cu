// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel fill grid [T, 2] block [128] (key, value, key_cache, value_cache, offsets, cached, page_table, B, long(H * D), S, long(M + L))
*/
// A block has the keys of a token, or its values, and copies eight numbers at a time where they are a multiple of that. It looks for the
// token's request by bisection.
#include "kernel.h"

template <class Unit>
__device__ void copy(const float16* __restrict__ from, float16* __restrict__ to, int64_t units) {
  for (int64_t u = threadIdx.x; u < units; u += 128) reinterpret_cast<Unit*>(to)[u] = reinterpret_cast<const Unit*>(from)[u];
}

extern "C" __global__ void fill(const float16* __restrict__ key, const float16* __restrict__ value, float16* __restrict__ key_cache,
                                float16* __restrict__ value_cache, const int64_t* __restrict__ offsets,
                                const int64_t* __restrict__ cached, const int64_t* __restrict__ page_table, int64_t B, int64_t size,
                                int64_t S, int64_t columns) {
  const int64_t t = blockIdx.x;
  // The last request that begins at the token or before it: others may have no token.
  int64_t request = 0, behind = B;
  while (behind - request > 1) {
    const int64_t middle = (request + behind) / 2;
    if (offsets[middle] <= t) request = middle;
    else behind = middle;
  }
  const int64_t token = t - offsets[request] + cached[request], page = page_table[request * columns + token / S];
  const float16* from = (blockIdx.y == 0 ? key : value) + t * size;
  float16* to = (blockIdx.y == 0 ? key_cache : value_cache) + (page * S + token % S) * size;
  if (size % 8 == 0) copy<uint4>(from, to, size / 8);
  else copy<float16>(from, to, size);
}
