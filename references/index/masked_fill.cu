// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel fill grid [div_up(div_up(N * M * K, 4), 256)] block [256] (x, mask, y, long(N * M * K))
*/
// A thread has four neighbouring numbers, whose masks are one word; those of the last one may be fewer.
__device__ float filled(float x, bool mask) { return mask ? __int_as_float(0xff800000) : x; }

extern "C" __global__ void fill(const float* __restrict__ x, const unsigned char* __restrict__ mask, float* __restrict__ y,
                                long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 v = *reinterpret_cast<const float4*>(x + i);
    const uchar4 m = *reinterpret_cast<const uchar4*>(mask + i);
    *reinterpret_cast<float4*>(y + i) = make_float4(filled(v.x, m.x), filled(v.y, m.y), filled(v.z, m.z), filled(v.w, m.w));
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = filled(x[k], mask[k]);
}
