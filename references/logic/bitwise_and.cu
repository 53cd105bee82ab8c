// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel combine grid [div_up(div_up(N * C, 4), 256)] block [256] (a, b, y, long(N * C))
*/
// A thread has four neighbouring words; those of the last one may be fewer.
extern "C" __global__ void combine(const int* __restrict__ a, const int* __restrict__ b, int* __restrict__ y, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const int4 v = *reinterpret_cast<const int4*>(a + i), w = *reinterpret_cast<const int4*>(b + i);
    *reinterpret_cast<int4*>(y + i) = make_int4(v.x & w.x, v.y & w.y, v.z & w.z, v.w & w.w);
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = a[k] & b[k];
}
