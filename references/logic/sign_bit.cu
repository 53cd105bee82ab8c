// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel test grid [div_up(div_up(N * C, 4), 256)] block [256] (x, other, y, z, long(N * C))
*/
// A thread has four neighbouring numbers, whose sign bits become the bytes of a word; those of the last one may be fewer.
extern "C" __global__ void test(const unsigned* __restrict__ x, const unsigned char* __restrict__ other, unsigned char* __restrict__ y,
                                unsigned char* __restrict__ z, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const uint4 v = *reinterpret_cast<const uint4*>(x + i);
    const unsigned signs = v.x >> 31 | v.y >> 31 << 8 | v.z >> 31 << 16 | v.w >> 31 << 24;
    *reinterpret_cast<unsigned*>(y + i) = signs;
    *reinterpret_cast<unsigned*>(z + i) = signs & *reinterpret_cast<const unsigned*>(other + i);
    return;
  }
  for (long long k = i; k < count; ++k) {
    y[k] = x[k] >> 31;
    z[k] = y[k] & other[k];
  }
}
