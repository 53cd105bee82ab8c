// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel append grid [div_up(B * H, 8), 2] block [256] (key, value, key_cache, value_cache, lengths, page_table, long(B * H), H, D, S, M)
*/
// A warp copies a head's key or its value, four numbers at a time where they are a multiple of that.
#include <stdint.h>

template <class Unit>
__device__ void copy(const float* __restrict__ from, float* __restrict__ to, int64_t units) {
  for (int64_t u = threadIdx.x % 32; u < units; u += 32) reinterpret_cast<Unit*>(to)[u] = reinterpret_cast<const Unit*>(from)[u];
}

extern "C" __global__ void append(const float* __restrict__ key, const float* __restrict__ value, float* __restrict__ key_cache,
                                  float* __restrict__ value_cache, const int64_t* __restrict__ lengths,
                                  const int64_t* __restrict__ page_table, int64_t rows, int64_t H, int64_t D, int64_t S, int64_t M) {
  const int64_t row = blockIdx.x * 8ll + threadIdx.x / 32;
  if (row >= rows) return;
  const int64_t b = row / H, token = lengths[b] - 1, page = page_table[b * M + token / S];
  const float* from = (blockIdx.y == 0 ? key : value) + row * D;
  float* to = (blockIdx.y == 0 ? key_cache : value_cache) + ((page * H + row % H) * S + token % S) * D;
  if (D % 4 == 0) copy<float4>(from, to, D / 4);
  else copy<float>(from, to, D);
}
