// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel gelu grid [div_up(div_up(N * C, 4), 256)] block [256] (a, b, y, long(N * C))
*/
// A thread has four neighbouring results; those of the last one may be fewer. erfcf keeps the digits that 1 + erff loses far below zero.
__device__ float gelu_of(float a, float b) {
  const float sum = a + b;
  return 0.5f * sum * erfcf(-0.7071067811865476f * sum);
}

extern "C" __global__ void gelu(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ y, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 v = *reinterpret_cast<const float4*>(a + i), w = *reinterpret_cast<const float4*>(b + i);
    *reinterpret_cast<float4*>(y + i) = make_float4(gelu_of(v.x, w.x), gelu_of(v.y, w.y), gelu_of(v.z, w.z), gelu_of(v.w, w.w));
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = gelu_of(a[k], b[k]);
}
