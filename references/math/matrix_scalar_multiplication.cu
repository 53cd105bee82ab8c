// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply grid [div_up(div_up(N * C, 4), 256)] block [256] (x, scale, y, long(N * C))
*/
// A thread has four neighbouring products; those of the last one may be fewer.
extern "C" __global__ void multiply(const float* __restrict__ x, const float* __restrict__ scale, float* __restrict__ y, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  const float s = *scale;
  if (i + 4 <= count) {
    const float4 v = *reinterpret_cast<const float4*>(x + i);
    *reinterpret_cast<float4*>(y + i) = make_float4(v.x * s, v.y * s, v.z * s, v.w * s);
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = x[k] * s;
}
