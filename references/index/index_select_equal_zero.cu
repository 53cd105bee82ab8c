// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel test_rows grid [div_up(K, 8)] block [256] (x, indices, y, K, D)
*/
// A warp has a row, four numbers at a time, whose answers are one word, where rows are a multiple of that.
extern "C" __global__ void test_rows(const float* __restrict__ x, const long long* __restrict__ indices, unsigned char* __restrict__ y,
                                     long long K, long long D) {
  const long long row = blockIdx.x * 8ll + threadIdx.x / 32;
  if (row >= K) return;
  const float* from = x + indices[row] * D;
  unsigned char* to = y + row * D;
  if (D % 4 == 0) {
#pragma unroll 4
    for (long long u = threadIdx.x % 32; u < D / 4; u += 32) {
      const float4 v = reinterpret_cast<const float4*>(from)[u];
      reinterpret_cast<uchar4*>(to)[u] = make_uchar4(v.x == 0, v.y == 0, v.z == 0, v.w == 0);
    }
    return;
  }
#pragma unroll 4
  for (long long d = threadIdx.x % 32; d < D; d += 32) to[d] = from[d] == 0;
}
