// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel test grid [div_up(div_up(N * C, 4), 256)] block [256] (x, y, z, long(N * C))
*/
// A thread has four neighbouring numbers, whose answers are one word; those of the last one may be fewer.
__device__ bool finite(float x) { return fabsf(x) < __int_as_float(0x7f800000); }
__device__ float kept(float x) { return finite(x) ? x : 0; }

extern "C" __global__ void test(const float* __restrict__ x, unsigned char* __restrict__ y, float* __restrict__ z, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 v = *reinterpret_cast<const float4*>(x + i);
    *reinterpret_cast<uchar4*>(y + i) = make_uchar4(finite(v.x), finite(v.y), finite(v.z), finite(v.w));
    *reinterpret_cast<float4*>(z + i) = make_float4(kept(v.x), kept(v.y), kept(v.z), kept(v.w));
    return;
  }
  for (long long k = i; k < count; ++k) {
    y[k] = finite(x[k]);
    z[k] = kept(x[k]);
  }
}
