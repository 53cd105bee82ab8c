// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel softsign grid [div_up(div_up(N * C, 4), 256)] block [256] (x, y, long(N * C))
*/
// A thread has four neighbouring numbers; those of the last one may be fewer.
__device__ float softsign_of(float x) { return x / (1 + fabsf(x)); }

extern "C" __global__ void softsign(const float* __restrict__ x, float* __restrict__ y, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 v = *reinterpret_cast<const float4*>(x + i);
    *reinterpret_cast<float4*>(y + i) = make_float4(softsign_of(v.x), softsign_of(v.y), softsign_of(v.z), softsign_of(v.w));
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = softsign_of(x[k]);
}
