// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel combine grid [div_up(div_up(N * C, 16), 256)] block [256] (a, b, y, long(N * C))
*/
// A thread has sixteen neighbouring truths, bytes of 0 or 1; those of the last one may be fewer.
extern "C" __global__ void combine(const unsigned char* __restrict__ a, const unsigned char* __restrict__ b, unsigned char* __restrict__ y,
                                   long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 16;
  if (i + 16 <= count) {
    const uint4 v = *reinterpret_cast<const uint4*>(a + i), w = *reinterpret_cast<const uint4*>(b + i);
    *reinterpret_cast<uint4*>(y + i) = make_uint4(v.x | w.x, v.y | w.y, v.z | w.z, v.w | w.w);
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = a[k] | b[k];
}
