// SPDX-License-Identifier: Apache-2.0
// Tensors [B, M, N] folded over the middle dimension: x becomes y [B, pieces, N], of which each piece of rows has a share.
// A launch with many pieces, and one more with a single one over what they left, keep a large GPU busy where B and N are small.
#pragma once

constexpr int kThreads = 256, kColumns = 32;

template <class Operation>
__device__ float4 join(float4 a, float4 b) {
  return make_float4(Operation::join(a.x, b.x), Operation::join(a.y, b.y), Operation::join(a.z, b.z), Operation::join(a.w, b.w));
}
template <class Operation>
__device__ float join(float a, float b) {
  return Operation::join(a, b);
}

template <class Unit>
__device__ Unit filled(float value);
template <>
__device__ float filled<float>(float value) {
  return value;
}
template <>
__device__ float4 filled<float4>(float value) {
  return make_float4(value, value, value, value);
}

// A block has 32 neighbouring columns. Its threads go down different rows, each with two results for a column. They take the columns as
// Units of one or four numbers; so many rows are read at once.
template <class Operation, class Unit>
__device__ void fold_columns(const float* __restrict__ x, float (*part)[kColumns], long long rows, long long N, int width) {
  constexpr int kEach = sizeof(Unit) / sizeof(float), kLanes = kColumns / kEach, kRows = kThreads / kLanes;
  const int lane = threadIdx.x % kLanes, row = threadIdx.x / kLanes;
  Unit even = filled<Unit>(Operation::start()), odd = even;
  if (lane * kEach < width) {
    const float* from = x + lane * kEach;
    long long m = row;
#pragma unroll 4
    for (; m + kRows < rows; m += 2 * kRows) {
      even = join<Operation>(even, *reinterpret_cast<const Unit*>(from + m * N));
      odd = join<Operation>(odd, *reinterpret_cast<const Unit*>(from + (m + kRows) * N));
    }
    if (m < rows) even = join<Operation>(even, *reinterpret_cast<const Unit*>(from + m * N));
  }
  *reinterpret_cast<Unit*>(&part[row][lane * kEach]) = join<Operation>(even, odd);
  for (int left = kRows / 2; left > 0; left /= 2) {
    __syncthreads();
    for (int i = threadIdx.x; i < left * kColumns; i += kThreads) {
      float& into = part[i / kColumns][i % kColumns];
      into = Operation::join(into, part[i / kColumns + left][i % kColumns]);
    }
  }
  __syncthreads();
}

// Of rows of one number the threads take fours.
template <class Operation>
__device__ void fold_row(const float* __restrict__ x, float* part, long long count) {
  float4 even = filled<float4>(Operation::start()), odd = even;
  long long u = threadIdx.x;
#pragma unroll 4
  for (; u + kThreads < count / 4; u += 2 * kThreads) {
    even = join<Operation>(even, reinterpret_cast<const float4*>(x)[u]);
    odd = join<Operation>(odd, reinterpret_cast<const float4*>(x)[u + kThreads]);
  }
  if (u < count / 4) even = join<Operation>(even, reinterpret_cast<const float4*>(x)[u]);
  even = join<Operation>(even, odd);
  float all = Operation::join(Operation::join(even.x, even.y), Operation::join(even.z, even.w));
  if (threadIdx.x < count % 4) all = Operation::join(all, x[count / 4 * 4 + threadIdx.x]);
  for (int width = 16; width > 0; width /= 2) all = Operation::join(all, __shfl_xor_sync(0xffffffff, all, width));
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = all;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int warp = 1; warp < kThreads / 32; ++warp) part[0] = Operation::join(part[0], part[warp]);
  __syncthreads();
}

// Rows of less than 32 numbers, one after the other: neighbouring threads have neighbouring numbers, each of one column.
template <class Operation>
__device__ void fold_narrow(const float* __restrict__ x, float* part, long long rows, int N) {
  const int threads = kThreads / N * N;
  const long long count = rows * N;
  float even = Operation::start(), odd = even;
  if (threadIdx.x < threads) {
    long long i = threadIdx.x;
#pragma unroll 4
    for (; i + threads < count; i += 2 * threads) {
      even = Operation::join(even, x[i]);
      odd = Operation::join(odd, x[i + threads]);
    }
    if (i < count) even = Operation::join(even, x[i]);
  }
  part[threadIdx.x] = Operation::join(even, odd);
  __syncthreads();
  // A warp has a column at a time.
  for (int n = threadIdx.x / 32; n < N; n += kThreads / 32) {
    float all = Operation::start();
    for (int t = n + threadIdx.x % 32 * N; t < threads; t += 32 * N) all = Operation::join(all, part[t]);
    for (int width = 16; width > 0; width /= 2) all = Operation::join(all, __shfl_xor_sync(0xffffffff, all, width));
    __syncwarp();
    if (threadIdx.x % 32 == 0) part[n] = all;  // read by this warp alone before, at n itself: others begin beyond N
  }
  __syncthreads();
}

// For a grid [div_up(N, 32), B, pieces] of blocks of 256: calls `put` with the place in y and the result of each column of the block.
template <class Operation, class Put>
__device__ void fold(const float* __restrict__ x, long long M, long long N, Put put) {
  alignas(16) __shared__ float part[kThreads / (kColumns / 4)][kColumns];
  const long long share = (M + gridDim.z - 1) / gridDim.z / 4 * 4 + 4, begin = min(blockIdx.z * share, M), rows = min(share, M - begin);
  const long long first = blockIdx.x * (long long)kColumns;
  const int width = (int)min(N - first, (long long)kColumns);
  x += (blockIdx.y * M + begin) * N + first;
  if (N == 1 && M % 4 == 0) fold_row<Operation>(x, part[0], rows);
  else if (N < kColumns) fold_narrow<Operation>(x, part[0], rows, (int)N);
  else if (N % 4 == 0) fold_columns<Operation, float4>(x, part, rows, N, width);
  else fold_columns<Operation, float>(x, part, rows, N, width);
  const long long to = (blockIdx.y * (long long)gridDim.z + blockIdx.z) * N + first;
  if (threadIdx.x < width) put(to + threadIdx.x, part[0][threadIdx.x]);
}
