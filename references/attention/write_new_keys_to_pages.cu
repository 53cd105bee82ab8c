// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel write grid [div_up(B * N * H, 8)] block [256] (key, cache, lengths, page_table, long(B * N * H), N, H, D, S, long(M + N))
*/
// A warp copies a head's key, four numbers at a time where keys are a multiple of that.
#include <stdint.h>

template <class Unit>
__device__ void copy(const float* __restrict__ from, float* __restrict__ to, int64_t units) {
  for (int64_t u = threadIdx.x % 32; u < units; u += 32) reinterpret_cast<Unit*>(to)[u] = reinterpret_cast<const Unit*>(from)[u];
}

extern "C" __global__ void write(const float* __restrict__ key, float* __restrict__ cache, const int64_t* __restrict__ lengths,
                                 const int64_t* __restrict__ page_table, int64_t rows, int64_t N, int64_t H, int64_t D, int64_t S,
                                 int64_t columns) {
  const int64_t row = blockIdx.x * 8ll + threadIdx.x / 32;
  if (row >= rows) return;
  const int64_t h = row % H, i = row / H % N, b = row / H / N, token = lengths[b] + i, page = page_table[b * columns + token / S];
  const float* from = key + row * D;
  float* to = cache + ((page * H + h) * S + token % S) * D;
  if (D % 4 == 0) copy<float4>(from, to, D / 4);
  else copy<float>(from, to, D);
}
