// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel divide grid [div_up(div_up(N * C, 4), 256)] block [256] (a, b, y, long(N * C))
*/
// A thread has four neighbouring quotients; those of the last one may be fewer.
__device__ float quotient(float a, float b) { return a / b; }

extern "C" __global__ void divide(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ y, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 v = *reinterpret_cast<const float4*>(a + i), w = *reinterpret_cast<const float4*>(b + i);
    *reinterpret_cast<float4*>(y + i) = make_float4(quotient(v.x, w.x), quotient(v.y, w.y), quotient(v.z, w.z), quotient(v.w, w.w));
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = quotient(a[k], b[k]);
}
