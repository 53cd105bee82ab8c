// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel spread grid [div_up(N, 1024), div_up(M, 8)] block [256] (x, z, y, t, M, N)
*/
// A thread has four neighbouring columns of eight rows.
constexpr int kRows = 8;

extern "C" __global__ void spread(const float* __restrict__ x, const float* __restrict__ z, float* __restrict__ y, float* __restrict__ t,
                                  long long M, long long N) {
  const long long c = (blockIdx.x * 256ll + threadIdx.x) * 4;
  const long long m0 = blockIdx.y * (long long)kRows, m1 = min(m0 + kRows, M);
  if (c >= N) return;
  if (N % 4 == 0) {
    const float4 v = *reinterpret_cast<const float4*>(x + c);
    for (long long m = m0; m < m1; ++m) {
      const float w = z[m];
      *reinterpret_cast<float4*>(y + m * N + c) = v;
      *reinterpret_cast<float4*>(t + m * N + c) = make_float4(w, w, w, w);
    }
    return;
  }
  for (long long m = m0; m < m1; ++m)
    for (long long k = c; k < min(c + 4, N); ++k) {
      y[m * N + k] = x[k];
      t[m * N + k] = z[m];
    }
}
