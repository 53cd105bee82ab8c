// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel choose grid [N, div_up(M, 8), div_up(C, 1024)] block [256] (a, b, y, M, C)
*/
// A block has four neighbouring columns for each thread, whose numbers of one row of `a` serve eight numbers of `b`. NaN is larger than any
// number.
constexpr int kRows = 8;

__device__ float larger(float a, float b) { return a > b || a != a ? a : b; }

extern "C" __global__ void choose(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ y, long long M,
                                  long long C) {
  const long long n = blockIdx.x, m0 = blockIdx.y * (long long)kRows, m1 = min(m0 + kRows, M);
  const long long c = (blockIdx.z * 256ll + threadIdx.x) * 4;
  if (c >= C) return;
  if (C % 4 == 0) {
    const float4 v = *reinterpret_cast<const float4*>(a + n * C + c);
#pragma unroll 4
    for (long long m = m0; m < m1; ++m)
      *reinterpret_cast<float4*>(y + (n * M + m) * C + c) =
          make_float4(larger(v.x, b[m]), larger(v.y, b[m]), larger(v.z, b[m]), larger(v.w, b[m]));
    return;
  }
  for (long long m = m0; m < m1; ++m)
    for (long long k = c; k < min(c + 4, C); ++k) y[(n * M + m) * C + k] = larger(a[n * C + k], b[m]);
}
