// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel decay grid [div_up(div_up(N, 4), 256)] block [256] (average, value, N)
*/
// The buffer holds the old average when the call begins. A thread has four neighbouring numbers; those of the last one may be fewer.
__device__ float decayed(float average, float value) { return 0.99f * average + 0.01f * value; }

extern "C" __global__ void decay(float* __restrict__ average, const float* __restrict__ value, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 a = *reinterpret_cast<float4*>(average + i), v = *reinterpret_cast<const float4*>(value + i);
    *reinterpret_cast<float4*>(average + i) = make_float4(decayed(a.x, v.x), decayed(a.y, v.y), decayed(a.z, v.z), decayed(a.w, v.w));
    return;
  }
  for (long long k = i; k < count; ++k) average[k] = decayed(average[k], value[k]);
}
