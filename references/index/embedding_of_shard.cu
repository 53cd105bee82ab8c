// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel copy_rows grid [div_up(T, 8)] block [256] (ids, first, weights, y, T, V, D)
*/
// A warp copies a row or clears it, four numbers at a time where rows are a multiple of that.
template <class Unit>
__device__ void copy(const float* __restrict__ from, float* __restrict__ to, long long units, bool here) {
  const Unit* in = reinterpret_cast<const Unit*>(from);
  Unit* out = reinterpret_cast<Unit*>(to);
#pragma unroll 4
  for (long long i = threadIdx.x % 32; i < units; i += 32) out[i] = here ? in[i] : Unit{};
}

extern "C" __global__ void copy_rows(const long long* __restrict__ ids, const long long* __restrict__ first,
                                     const float* __restrict__ weights, float* __restrict__ y, long long T, long long V, long long D) {
  const long long row = blockIdx.x * 8ll + threadIdx.x / 32;
  if (row >= T) return;
  const long long place = ids[row] - *first;
  const bool here = place >= 0 && place < V;
  const float* from = weights + (here ? place : 0) * D;
  float* to = y + row * D;
  if (D % 4 == 0) copy<float4>(from, to, D / 4, here);
  else copy<float>(from, to, D, here);
}
