// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel raise grid [div_up(div_up(N * C, 4), 256)] block [256] (a, b, y, long(N * C))
*/
// A thread has four neighbouring powers; those of the last one may be fewer.
__device__ float power_of(float a, float b) { return powf(a, b); }

extern "C" __global__ void raise(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ y, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 v = *reinterpret_cast<const float4*>(a + i), w = *reinterpret_cast<const float4*>(b + i);
    *reinterpret_cast<float4*>(y + i) = make_float4(power_of(v.x, w.x), power_of(v.y, w.y), power_of(v.z, w.z), power_of(v.w, w.w));
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = power_of(a[k], b[k]);
}
