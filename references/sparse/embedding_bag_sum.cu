// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel add_bags grid [div_up(B, 8)] block [256] (indices, offsets, table, y, K, B, D)
*/
// A warp has a bag. It takes 128 columns at a time, four for each lane, where rows are a multiple of four, else 32.
#include <stdint.h>

__device__ float add(float a, float b) { return a + b; }
__device__ float4 add(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }

template <class Unit>
__device__ void add_rows(const int64_t* __restrict__ indices, int64_t count, const float* __restrict__ table, float* __restrict__ y,
                         int64_t units) {
  const Unit* in = reinterpret_cast<const Unit*>(table);
  for (int64_t u = threadIdx.x % 32; u < units; u += 32) {
    Unit sum = {};
#pragma unroll 4
    for (int64_t k = 0; k < count; ++k) sum = add(sum, in[indices[k] * units + u]);
    reinterpret_cast<Unit*>(y)[u] = sum;
  }
}

extern "C" __global__ void add_bags(const int64_t* __restrict__ indices, const int64_t* __restrict__ offsets,
                                    const float* __restrict__ table, float* __restrict__ y, int64_t K, int64_t B, int64_t D) {
  const int64_t bag = blockIdx.x * 8ll + threadIdx.x / 32;
  if (bag >= B) return;
  const int64_t begin = offsets[bag], end = bag + 1 < B ? offsets[bag + 1] : K;
  if (D % 4 == 0) add_rows<float4>(indices + begin, end - begin, table, y + bag * D, D / 4);
  else add_rows<float>(indices + begin, end - begin, table, y + bag * D, D);
}
