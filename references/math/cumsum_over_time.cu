// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel scan grid [B, div_up(N, 32)] block [256] (x, y, M, N)
*/
// A block has 32 neighbouring columns, and goes down them in steps of 64 rows, eight for each warp. The next step's numbers are on their
// way while this one's are added up.
constexpr int kColumns = 32, kWarps = 8, kEach = 8, kStep = kWarps * kEach;

__device__ void fetch(float (&v)[kEach], const float* __restrict__ x, long long m, long long M, long long N, bool inside) {
#pragma unroll
  for (int i = 0; i < kEach; ++i) v[i] = inside && m + i < M ? x[(m + i) * N] : 0;
}

extern "C" __global__ void scan(const float* __restrict__ x, float* __restrict__ y, long long M, long long N) {
  __shared__ float sums[2][kWarps][kColumns];
  const int lane = threadIdx.x % kColumns, warp = threadIdx.x / kColumns;
  const long long column = blockIdx.y * (long long)kColumns + lane;
  const bool inside = column < N;
  x += blockIdx.x * M * N + column;
  y += blockIdx.x * M * N + column;
  float before = 0;  // of all steps before
  float next[kEach];
  fetch(next, x, warp * kEach, M, N, inside);
  int side = 0;
  for (long long begin = 0; begin < M; begin += kStep, side ^= 1) {
    const long long m = begin + warp * kEach;
    float v[kEach];
    v[0] = next[0];
#pragma unroll
    for (int i = 1; i < kEach; ++i) v[i] = v[i - 1] + next[i];
    if (begin + kStep < M) fetch(next, x, m + kStep, M, N, inside);
    sums[side][warp][lane] = v[kEach - 1];
    __syncthreads();
    float lead = before;
    for (int w = 0; w < kWarps; ++w) {
      if (w == warp) lead = before;
      before += sums[side][w][lane];
    }
#pragma unroll
    for (int i = 0; i < kEach; ++i)
      if (inside && m + i < M) y[(m + i) * N] = v[i] + lead;
  }
}
