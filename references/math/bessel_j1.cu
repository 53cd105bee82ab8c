// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel bessel grid [div_up(div_up(N * C, 4), 256)] block [256] (x, y, long(N * C))
*/
// A thread has four neighbouring numbers; those of the last one may be fewer. In double, because float loses the digits next to zeros of
// the function.
__device__ float bessel_of(float x) { return (float)j1((double)x); }

extern "C" __global__ void bessel(const float* __restrict__ x, float* __restrict__ y, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 v = *reinterpret_cast<const float4*>(x + i);
    *reinterpret_cast<float4*>(y + i) = make_float4(bessel_of(v.x), bessel_of(v.y), bessel_of(v.z), bessel_of(v.w));
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = bessel_of(x[k]);
}
