// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel bound grid [div_up(div_up(N * C, 4), 256)] block [256] (x, y, long(N * C))
*/
// A thread has four neighbouring numbers; those of the last one may be fewer. Comparisons let NaN pass.
__device__ float bounded(float x) { return x < -1 ? -1 : x > 1 ? 1 : x; }

extern "C" __global__ void bound(const float* __restrict__ x, float* __restrict__ y, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 v = *reinterpret_cast<const float4*>(x + i);
    *reinterpret_cast<float4*>(y + i) = make_float4(bounded(v.x), bounded(v.y), bounded(v.z), bounded(v.w));
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = bounded(x[k]);
}
