// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply grid [N * div_up(M, 8) * div_up(C, 1024)] block [256] (a, b, y, M, C)
*/
// A block has four neighbouring columns for each thread, whose numbers of one row of `a` it multiplies by those of eight rows of `b`. Blocks
// side by side store side by side, and what is stored need not stay in the cache.
constexpr int kRows = 8;

extern "C" __global__ void multiply(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ y, long long M,
                                    long long C) {
  const unsigned across = (C + 1023) / 1024, down = (M + kRows - 1) / kRows;
  const long long n = blockIdx.x / (across * down), m0 = blockIdx.x / across % down * (long long)kRows, m1 = min(m0 + kRows, M);
  const long long c = (blockIdx.x % across * 256ll + threadIdx.x) * 4;
  if (c >= C) return;
  if (C % 4 == 0) {
    const float4 v = *reinterpret_cast<const float4*>(a + n * C + c);
#pragma unroll 4
    for (long long m = m0; m < m1; ++m) {
      const float4 w = *reinterpret_cast<const float4*>(b + m * C + c);
      __stcs(reinterpret_cast<float4*>(y + (n * M + m) * C + c), make_float4(v.x * w.x, v.y * w.y, v.z * w.z, v.w * w.w));
    }
    return;
  }
  for (long long m = m0; m < m1; ++m)
    for (long long k = c; k < min(c + 4, C); ++k) y[(n * M + m) * C + k] = a[n * C + k] * b[m * C + k];
}
