// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel pick grid [div_up(N, 4), div_up(K, 1024)] block [256] (x, indices, y, N, M, K)
*/
// A thread has four columns, a block apart from each other, of four rows: their indices serve all of the rows.
constexpr int kThreads = 256, kEach = 4, kRows = 4;

extern "C" __global__ void pick(const float* __restrict__ x, const long long* __restrict__ indices, float* __restrict__ y, long long N,
                                long long M, long long K) {
  const long long first = blockIdx.y * (long long)(kThreads * kEach) + threadIdx.x;
  const long long n0 = blockIdx.x * (long long)kRows, n1 = min(n0 + kRows, N);
  long long at[kEach];
#pragma unroll
  for (int i = 0; i < kEach; ++i) at[i] = first + i * kThreads < K ? indices[first + i * kThreads] : 0;
  for (long long n = n0; n < n1; ++n) {
#pragma unroll
    for (int i = 0; i < kEach; ++i)
      if (first + i * kThreads < K) y[n * K + first + i * kThreads] = x[n * M + at[i]];
  }
}
