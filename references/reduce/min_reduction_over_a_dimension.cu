// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel smallest grid [div_up(N, 32), B] block [256] (x, y, M, N)
*/
// A block has 32 neighbouring columns. Its threads go down different rows, each with two candidates for a column, of which the smallest is
// then looked for. NaN is smaller than any number.
constexpr int kThreads = 256, kColumns = 32;

__device__ float smaller(float a, float b) { return a < b || a != a ? a : b; }
__device__ float4 smaller(float4 a, float4 b) {
  return make_float4(smaller(a.x, b.x), smaller(a.y, b.y), smaller(a.z, b.z), smaller(a.w, b.w));
}

template <class Unit>
__device__ Unit highest();
template <>
__device__ float highest<float>() {
  return __int_as_float(0x7f800000);
}
template <>
__device__ float4 highest<float4>() {
  return make_float4(highest<float>(), highest<float>(), highest<float>(), highest<float>());
}

// Threads take kColumns as Units of one or four numbers; so many rows are read at once.
template <class Unit>
__device__ void search_columns(const float* __restrict__ x, float (*part)[kColumns], long long M, long long N, int width) {
  constexpr int kEach = sizeof(Unit) / sizeof(float), kLanes = kColumns / kEach, kRows = kThreads / kLanes;
  const int lane = threadIdx.x % kLanes, row = threadIdx.x / kLanes;
  Unit even = highest<Unit>(), odd = highest<Unit>();
  if (lane * kEach < width) {
    const float* from = x + lane * kEach;
    long long m = row;
#pragma unroll 4
    for (; m + kRows < M; m += 2 * kRows) {
      even = smaller(even, *reinterpret_cast<const Unit*>(from + m * N));
      odd = smaller(odd, *reinterpret_cast<const Unit*>(from + (m + kRows) * N));
    }
    if (m < M) even = smaller(even, *reinterpret_cast<const Unit*>(from + m * N));
  }
  *reinterpret_cast<Unit*>(&part[row][lane * kEach]) = smaller(even, odd);
  for (int rows = kRows / 2; rows > 0; rows /= 2) {
    __syncthreads();
    for (int i = threadIdx.x; i < rows * kColumns; i += kThreads)
      part[i / kColumns][i % kColumns] = smaller(part[i / kColumns][i % kColumns], part[i / kColumns + rows][i % kColumns]);
  }
  __syncthreads();
}

extern "C" __global__ void smallest(const float* __restrict__ x, float* __restrict__ y, long long M, long long N) {
  alignas(16) __shared__ float part[kThreads / (kColumns / 4)][kColumns];
  const long long first = blockIdx.x * (long long)kColumns;
  const int width = (int)min(N - first, (long long)kColumns);
  x += blockIdx.y * M * N + first;
  if (N % 4 == 0) search_columns<float4>(x, part, M, N, width);
  else search_columns<float>(x, part, M, N, width);
  if (threadIdx.x < width) y[blockIdx.y * N + first + threadIdx.x] = part[0][threadIdx.x];
}
