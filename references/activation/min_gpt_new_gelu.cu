// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel gelu grid [div_up(div_up(N * C, 4), 256)] block [256] (x, y, long(N * C))
*/
// A thread has four neighbouring numbers; those of the last one may be fewer. tanhf is exact at both ends, where a quotient of exponentials
// would be Inf / Inf.
__device__ float gelu_of(float x) {
  const float inner = 0.7978845608028654f * (x + 0.044715f * (x * x * x));
  return 0.5f * x * (1 + tanhf(inner));
}

extern "C" __global__ void gelu(const float* __restrict__ x, float* __restrict__ y, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 v = *reinterpret_cast<const float4*>(x + i);
    *reinterpret_cast<float4*>(y + i) = make_float4(gelu_of(v.x), gelu_of(v.y), gelu_of(v.z), gelu_of(v.w));
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = gelu_of(x[k]);
}
