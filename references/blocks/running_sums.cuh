// SPDX-License-Identifier: Apache-2.0
// Running sums down the columns of matrices [B, M, N], or up them.
// A warp has 32 neighbouring columns of a short matrix. A block has those of a longer one, and takes 64 rows at a time, eight for each warp.
// The next step's numbers are on their way while this one's are added up. Grid [div_up(B, M <= 32 ? 8 : 1), div_up(N, 32)] of 256 threads.
#pragma once

constexpr int kColumns = 32, kWarps = 8, kEach = 8, kStep = kWarps * kEach, kShort = 32;

// A column's first number, and the way to the next.
template <bool up>
struct Column {
  long long begin, step;

  __device__ Column(long long b, long long column, long long M, long long N)
      : begin((up ? (b + 1) * M - 1 : b * M) * N + column), step(up ? -N : N) {}
};

template <bool up>
__device__ void sum_short(const float* __restrict__ x, float* __restrict__ y, long long B, int M, long long N) {
  const long long b = blockIdx.x * (long long)kWarps + threadIdx.x / kColumns, n = blockIdx.y * (long long)kColumns + threadIdx.x % kColumns;
  if (b >= B || n >= N) return;
  const Column<up> column(b, n, M, N);
  float v[kShort], sum = 0;
#pragma unroll
  for (int m = 0; m < kShort; ++m) v[m] = m < M ? x[column.begin + m * column.step] : 0;
#pragma unroll
  for (int m = 0; m < kShort; ++m) {
    sum += v[m];
    if (m < M) y[column.begin + m * column.step] = sum;
  }
}

__device__ void fetch(float (&v)[kEach], const float* __restrict__ x, long long step, long long m, long long M, bool inside) {
#pragma unroll
  for (int i = 0; i < kEach; ++i) v[i] = inside && m + i < M ? x[(m + i) * step] : 0;
}

template <bool up>
__device__ void running_sums(const float* __restrict__ x, float* __restrict__ y, long long B, long long M, long long N) {
  if (M <= kShort) return sum_short<up>(x, y, B, (int)M, N);
  __shared__ float sums[2][kWarps][kColumns];
  const int lane = threadIdx.x % kColumns, warp = threadIdx.x / kColumns;
  const long long n = blockIdx.y * (long long)kColumns + lane;
  const bool inside = n < N;
  const Column<up> column(blockIdx.x, n, M, N);
  x += column.begin;
  y += column.begin;
  float before = 0;  // of all steps before
  float next[kEach];
  fetch(next, x, column.step, warp * kEach, M, inside);
  int side = 0;
  for (long long begin = 0; begin < M; begin += kStep, side ^= 1) {
    const long long m = begin + warp * kEach;
    float v[kEach];
    v[0] = next[0];
#pragma unroll
    for (int i = 1; i < kEach; ++i) v[i] = v[i - 1] + next[i];
    if (begin + kStep < M) fetch(next, x, column.step, m + kStep, M, inside);
    sums[side][warp][lane] = v[kEach - 1];
    __syncthreads();
    float lead = before;
    for (int w = 0; w < kWarps; ++w) {
      if (w == warp) lead = before;
      before += sums[side][w][lane];
    }
#pragma unroll
    for (int i = 0; i < kEach; ++i)
      if (inside && m + i < M) y[(m + i) * column.step] = v[i] + lead;
  }
}
