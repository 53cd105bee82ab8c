// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel softplus grid [div_up(div_up(N * C, 4), 256)] block [256] (x, y, long(N * C))
*/
// A thread has four neighbouring numbers; those of the last one may be fewer. The exponential is at most 1.
__device__ float softplus_of(float x) { return (x > 0 ? x : 0) + log1pf(expf(-fabsf(x))); }

extern "C" __global__ void softplus(const float* __restrict__ x, float* __restrict__ y, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 v = *reinterpret_cast<const float4*>(x + i);
    *reinterpret_cast<float4*>(y + i) = make_float4(softplus_of(v.x), softplus_of(v.y), softplus_of(v.z), softplus_of(v.w));
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = softplus_of(x[k]);
}
