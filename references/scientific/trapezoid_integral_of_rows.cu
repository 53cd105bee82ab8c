// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel integrate grid [div_up(N, 4)] block [256] (y, t, integral, N, C)
*/
// A block has four rows, for which it works out the widths once. A value meets the widths on its left and on its right, one after the
// other: the first and the last value have one of them alone.
constexpr int kThreads = 256, kNumbers = 4, kRows = 4;
#include "blocks/rows.cuh"

template <int n>
__device__ void load(const float* from, float* to) {
  if constexpr (n == 4) {
    const float4 v = *reinterpret_cast<const float4*>(from);
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    to[3] = v.w;
  } else {
    *to = *from;
  }
}

template <int n>
__device__ void add_rows(const float* __restrict__ y, const float* __restrict__ t, int rows, long long C, float (&sum)[kRows]) {
#pragma unroll 2
  for (long long i = threadIdx.x * n; i < C; i += kThreads * n) {
    float node[n + 2], v[kRows][n];
    load<n>(t + i, node + 1);
    node[0] = i > 0 ? t[i - 1] : 0;
    node[n + 1] = i + n < C ? t[i + n] : 0;
#pragma unroll
    for (int r = 0; r < kRows; ++r) load<n>(y + min(r, rows - 1) * C + i, v[r]);
#pragma unroll
    for (int r = 0; r < kRows; ++r)
      for (int c = 0; c < n; ++c) {
        if (c > 0 || i > 0) sum[r] += v[r][c] * (node[c + 1] - node[c]);
        if (c < n - 1 || i + n < C) sum[r] += v[r][c] * (node[c + 2] - node[c + 1]);
      }
  }
}

extern "C" __global__ void __launch_bounds__(kThreads)
    integrate(const float* __restrict__ y, const float* __restrict__ t, float* __restrict__ integral, long long N, long long C) {
  const long long first = blockIdx.x * (long long)kRows;
  const int rows = (int)min(N - first, (long long)kRows);
  float sum[kRows] = {};
  if (C % 4 == 0) add_rows<4>(y + first * C, t, rows, C, sum);
  else add_rows<1>(y + first * C, t, rows, C, sum);
  for (int r = 0; r < kRows; ++r) {
    const float twice = sum_of_block(sum[r]);
    if (threadIdx.x == 0 && r < rows) integral[first + r] = 0.5f * twice;
  }
}
