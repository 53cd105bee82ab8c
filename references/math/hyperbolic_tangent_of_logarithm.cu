// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel tangent grid [div_up(div_up(N * C, 4), 256)] block [256] (x, y, long(N * C))
*/
// A thread has four neighbouring numbers; those of the last one may be fewer.
__device__ float tangent_of(float x) { return tanhf(logf(x)); }

extern "C" __global__ void tangent(const float* __restrict__ x, float* __restrict__ y, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 v = *reinterpret_cast<const float4*>(x + i);
    *reinterpret_cast<float4*>(y + i) = make_float4(tangent_of(v.x), tangent_of(v.y), tangent_of(v.z), tangent_of(v.w));
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = tangent_of(x[k]);
}
