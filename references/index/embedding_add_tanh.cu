// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel add_rows grid [div_up(K, 8)] block [256] (table, indices, other, y, K, D)
*/
// A warp has a row, four numbers at a time where rows are a multiple of that.
__device__ float activated(float a, float b) { return tanhf(a + b); }
__device__ float4 activated(float4 a, float4 b) {
  return make_float4(activated(a.x, b.x), activated(a.y, b.y), activated(a.z, b.z), activated(a.w, b.w));
}

template <class Unit>
__device__ void add_row(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ to, long long units) {
  const Unit *left = reinterpret_cast<const Unit*>(a), *right = reinterpret_cast<const Unit*>(b);
#pragma unroll 4
  for (long long i = threadIdx.x % 32; i < units; i += 32) reinterpret_cast<Unit*>(to)[i] = activated(left[i], right[i]);
}

extern "C" __global__ void add_rows(const float* __restrict__ table, const long long* __restrict__ indices, const float* __restrict__ other,
                                    float* __restrict__ y, long long K, long long D) {
  const long long row = blockIdx.x * 8ll + threadIdx.x / 32;
  if (row >= K) return;
  const float *a = table + indices[row] * D, *b = other + row * D;
  if (D % 4 == 0) add_row<float4>(a, b, y + row * D, D / 4);
  else add_row<float>(a, b, y + row * D, D);
}
