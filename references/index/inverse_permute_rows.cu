// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel copy_rows grid [div_up(V, 8)] block [256] (permutation, x, y, V, D)
*/
// A warp copies a row, four numbers at a time where rows are a multiple of that.
template <class Unit>
__device__ void copy(const float* __restrict__ from, float* __restrict__ to, long long units) {
  const Unit* in = reinterpret_cast<const Unit*>(from);
  Unit* out = reinterpret_cast<Unit*>(to);
#pragma unroll 4
  for (long long i = threadIdx.x % 32; i < units; i += 32) out[i] = in[i];
}

extern "C" __global__ void copy_rows(const long long* __restrict__ permutation, const float* __restrict__ x, float* __restrict__ y,
                                     long long V, long long D) {
  const long long row = blockIdx.x * 8ll + threadIdx.x / 32;
  if (row >= V) return;
  const float* from = x + row * D;
  float* to = y + permutation[row] * D;
  if (D % 4 == 0) copy<float4>(from, to, D / 4);
  else copy<float>(from, to, D);
}
