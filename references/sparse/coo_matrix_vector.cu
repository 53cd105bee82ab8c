// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel clear grid [div_up(R, 1024)] block [256] (y, R)
   kernel add   grid [div_up(E, 1024)] block [256] (rows, columns, values, x, y, E)
*/
// A thread adds four neighbouring elements to y, which stays in the cache of the device: what streams past should not drive it out.
#include "blocks/clear.cuh"

extern "C" __global__ void clear(float* __restrict__ y, long long R) { clear_four(y, R); }

extern "C" __global__ void add(const int* __restrict__ rows, const int* __restrict__ columns, const float* __restrict__ values,
                               const float* __restrict__ x, float* __restrict__ y, long long E) {
  const long long e = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (e + 4 <= E) {
    const int4 row = __ldcs(reinterpret_cast<const int4*>(rows + e)), column = __ldcs(reinterpret_cast<const int4*>(columns + e));
    const float4 value = __ldcs(reinterpret_cast<const float4*>(values + e));
    const float4 product = make_float4(value.x * x[column.x], value.y * x[column.y], value.z * x[column.z], value.w * x[column.w]);
    atomicAdd(y + row.x, product.x);
    atomicAdd(y + row.y, product.y);
    atomicAdd(y + row.z, product.z);
    atomicAdd(y + row.w, product.w);
    return;
  }
  for (long long i = e; i < E; ++i) atomicAdd(y + rows[i], values[i] * x[columns[i]]);
}
