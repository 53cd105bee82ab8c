// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel gather grid [div_up(B * L, 8)] block [256] (pages, page_table, lengths, y, S, D, long(B * L), M, L)
*/
// A warp copies a row, or clears it, four numbers at a time where rows are a multiple of that.
#include <stdint.h>

template <class Unit>
__device__ void copy(const float* __restrict__ from, float* __restrict__ to, int64_t units, bool exists) {
  const Unit* in = reinterpret_cast<const Unit*>(from);
  Unit* out = reinterpret_cast<Unit*>(to);
#pragma unroll 4
  for (int64_t i = threadIdx.x % 32; i < units; i += 32) {
    Unit v = {};
    if (exists) v = in[i];
    out[i] = v;
  }
}

extern "C" __global__ void gather(const float* __restrict__ pages, const int64_t* __restrict__ page_table,
                                  const int64_t* __restrict__ lengths, float* __restrict__ y, int64_t S, int64_t D, int64_t rows, int64_t M,
                                  int64_t L) {
  const int64_t row = blockIdx.x * 8ll + threadIdx.x / 32;
  if (row >= rows) return;
  const int64_t b = row / L, i = row - b * L, slot = i / S;
  const bool exists = i < lengths[b];
  const float* from = exists ? pages + (page_table[b * M + slot] * S + (i - slot * S)) * D : pages;
  float* to = y + row * D;
  if (D % 4 == 0) copy<float4>(from, to, D / 4, exists);
  else copy<float>(from, to, D, exists);
}
