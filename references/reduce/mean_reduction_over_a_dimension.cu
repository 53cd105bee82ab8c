// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel mean grid [div_up(N, 32), B] block [256] (x, y, M, N)
*/
// A block has 32 neighbouring columns. Its threads go down different rows, each with two sums for a column, and are then added up.
constexpr int kThreads = 256, kColumns = 32;

__device__ float4 add(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__device__ float add(float a, float b) { return a + b; }

// Threads take kColumns as Units of one or four numbers; so many rows are read at once.
template <class Unit>
__device__ void sum_columns(const float* __restrict__ x, float (*part)[kColumns], long long M, long long N, int width) {
  constexpr int kEach = sizeof(Unit) / sizeof(float), kLanes = kColumns / kEach, kRows = kThreads / kLanes;
  const int lane = threadIdx.x % kLanes, row = threadIdx.x / kLanes;
  Unit even = {}, odd = {};
  if (lane * kEach < width) {
    const float* from = x + lane * kEach;
    long long m = row;
#pragma unroll 4
    for (; m + kRows < M; m += 2 * kRows) {
      even = add(even, *reinterpret_cast<const Unit*>(from + m * N));
      odd = add(odd, *reinterpret_cast<const Unit*>(from + (m + kRows) * N));
    }
    if (m < M) even = add(even, *reinterpret_cast<const Unit*>(from + m * N));
  }
  *reinterpret_cast<Unit*>(&part[row][lane * kEach]) = add(even, odd);
  for (int rows = kRows / 2; rows > 0; rows /= 2) {
    __syncthreads();
    for (int i = threadIdx.x; i < rows * kColumns; i += kThreads)
      part[i / kColumns][i % kColumns] += part[i / kColumns + rows][i % kColumns];
  }
  __syncthreads();
}

extern "C" __global__ void mean(const float* __restrict__ x, float* __restrict__ y, long long M, long long N) {
  alignas(16) __shared__ float part[kThreads / (kColumns / 4)][kColumns];
  const long long first = blockIdx.x * (long long)kColumns;
  const int width = (int)min(N - first, (long long)kColumns);
  x += blockIdx.y * M * N + first;
  if (N % 4 == 0) sum_columns<float4>(x, part, M, N, width);
  else sum_columns<float>(x, part, M, N, width);
  if (threadIdx.x < width) y[blockIdx.y * N + first + threadIdx.x] = part[0][threadIdx.x] / M;
}
