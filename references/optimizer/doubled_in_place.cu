// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel double_up grid [div_up(div_up(N, 4), 256)] block [256] (x, N)
*/
// A thread has four neighbouring numbers; those of the last one may be fewer.
extern "C" __global__ void double_up(float* __restrict__ x, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 v = *reinterpret_cast<const float4*>(x + i);
    *reinterpret_cast<float4*>(x + i) = make_float4(v.x + v.x, v.y + v.y, v.z + v.z, v.w + v.w);
    return;
  }
  for (long long k = i; k < count; ++k) x[k] += x[k];
}
