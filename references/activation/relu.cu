// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel relu grid [div_up(div_up(N * C, 4), 256)] block [256] (x, y, long(N * C))
*/
// A thread has four neighbouring numbers; those of the last one may be fewer. What is not below zero stays, NaN with it.
__device__ float above_zero(float v) { return v < 0 ? 0 : v; }

extern "C" __global__ void relu(const float* __restrict__ x, float* __restrict__ y, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    float4 v = *reinterpret_cast<const float4*>(x + i);
    v = make_float4(above_zero(v.x), above_zero(v.y), above_zero(v.z), above_zero(v.w));
    *reinterpret_cast<float4*>(y + i) = v;
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = above_zero(x[k]);
}
