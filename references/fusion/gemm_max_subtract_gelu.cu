// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch tops: float[M * div_up(N, 64)]
   kernel row_tops grid [div_up(N, 64), div_up(M, 64)] block [512] (x, w, b, tops, M, K, N)
   kernel finish   grid [div_up(M, 256)] block [256] (tops, y, M, int(div_up(N, 64)))
*/
// The mean of one number is this number, so that what is left is 0, and NaN for NaN and infinities.
#include "blocks/product.cuh"

// NaN is the larger of any two.
__device__ float larger(float a, float b) { return a > b || a != a ? a : b; }

// Of each row the largest number in each tile.
extern "C" __global__ void __launch_bounds__(kThreads)
    row_tops(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b, float* __restrict__ tops, long long M,
             long long K, long long N) {
  const long long m0 = blockIdx.y * (long long)kTile, n0 = blockIdx.x * (long long)kTile;
  const auto whole = multiply(Rows(x, m0, M, K), Rows(w, n0, N, K), 0, K);
  constexpr int kShare = kThreads / kTile;  // threads of a row
  const int row = threadIdx.x / kShare;
  float top = __int_as_float(0xff800000);
  for (int column = threadIdx.x % kShare; column < kTile && n0 + column < N; column += kShare)
    top = larger(whole[row][column] + b[n0 + column], top);
  for (int width = kShare / 2; width > 0; width /= 2) top = larger(__shfl_xor_sync(0xffffffff, top, width), top);
  if (threadIdx.x % kShare == 0 && m0 + row < M) tops[(m0 + row) * gridDim.x + blockIdx.x] = top;
}

__device__ float top_of_row(const float* tops, int tiles) {
  float top = tops[0];
  for (int t = 1; t < tiles; ++t) top = larger(tops[t], top);
  return top;
}

__device__ float gelu(float v) { return 0.5f * v * (erff(v * 0.7071067811865476f) + 1); }

extern "C" __global__ void finish(const float* __restrict__ tops, float* __restrict__ y, long long M, int tiles) {
  const long long m = blockIdx.x * 256ll + threadIdx.x;
  if (m >= M) return;
  const float top = top_of_row(tops + m * tiles, tiles);
  y[m] = gelu(top - top);
}
