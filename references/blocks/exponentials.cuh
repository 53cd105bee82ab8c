// SPDX-License-Identifier: Apache-2.0
// Rows [N, C] whose results need the largest number of a row and its sum of exponentials. A block has a row, or where rows are few and long
// a piece of one: grid [N, pieces] of blocks of 256.
#pragma once

constexpr int kThreads = 256, kNumbers = 16;
#include "blocks/rows.cuh"

// NaN is the larger of any two.
__device__ float larger(float a, float b) { return a > b || a != a ? a : b; }

__device__ float max_of_block(float value) {
  __shared__ float warps[kWarps];
  for (int width = 16; width > 0; width /= 2) value = larger(__shfl_xor_sync(kAll, value, width), value);
  __syncthreads();
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = warps[0];
  for (int warp = 1; warp < kWarps; ++warp) value = larger(warps[warp], value);
  return value;
}

// The largest number, and the sum of the exponentials of what they are above `base`: that, or 0 where it is infinite and `finite` is true.
struct Exponentials {
  float top, base, sum;
};

__device__ float base_of(float top, bool finite) { return finite && isinf(top) ? 0 : top; }

template <class Unit>
__device__ Exponentials exponentials_of(const Row<Unit>& row, bool finite) {
  float top = __int_as_float(0xff800000);
  row.each([&](long long, Unit v) { each_number(v, [&](float number) { top = larger(number, top); }); });
  top = max_of_block(top);
  const float base = base_of(top, finite);
  float sum = 0;
  row.each([&](long long, Unit v) { each_number(v, [&](float number) { sum += expf(number - base); }); });
  return {top, base, sum_of_block(sum)};
}

// What pieces have found, as one. A piece whose numbers are all -Inf adds nothing to the sum, but NaN where the base is infinite.
__device__ Exponentials joined(const float2* __restrict__ parts, int pieces, bool finite) {
  float top = __int_as_float(0xff800000);
  for (int p = threadIdx.x; p < pieces; p += kThreads) top = larger(parts[p].x, top);
  top = max_of_block(top);
  const float base = base_of(top, finite);
  float sum = 0;
  for (int p = threadIdx.x; p < pieces; p += kThreads) {
    const float2 part = parts[p];
    const bool none = isinf(part.x) && part.x < 0;
    sum += none ? (isinf(base) ? __int_as_float(0x7fffffff) : 0) : part.y * expf(part.x - base);
  }
  return {top, base, sum_of_block(sum)};
}

// The part of a row of C numbers that is the block's: where it begins and how long it is.
struct Piece {
  long long begin, length;

  __device__ explicit Piece(long long C) {
    const long long share = (C + gridDim.y - 1) / gridDim.y / 4 * 4 + 4;
    begin = min(blockIdx.y * share, C);
    length = min(share, C - begin);
  }
};

// Rows y of results Result(found).of(number), in two kernels of the same blocks: the second is of rows in pieces alone.
template <class Result, class Unit>
__device__ void store(const Row<Unit>& row, float* __restrict__ y, Exponentials found) {
  const Result result(found);
  row.each([&](long long u, Unit v) { reinterpret_cast<Unit*>(y)[u] = map(v, [&](float number) { return result.of(number); }); });
}

template <class Result, class Unit>
__device__ void scan_piece(const float* __restrict__ x, float* __restrict__ y, float2* __restrict__ part, long long length) {
  const Row<Unit> row(x, length);
  const Exponentials found = exponentials_of(row, false);
  if (gridDim.y == 1) store<Result>(row, y, found);
  else if (threadIdx.x == 0) *part = make_float2(found.top, found.sum);
}

template <class Result>
__device__ void scan_rows(const float* __restrict__ x, float* __restrict__ y, float* __restrict__ part, long long C) {
  const Piece piece(C);
  x += blockIdx.x * C + piece.begin;
  y += blockIdx.x * C + piece.begin;
  float2* to = reinterpret_cast<float2*>(part) + blockIdx.x * gridDim.y + blockIdx.y;
  if (C % 4 == 0) scan_piece<Result, float4>(x, y, to, piece.length);
  else scan_piece<Result, float>(x, y, to, piece.length);
}

template <class Result>
__device__ void store_rows(const float* __restrict__ x, float* __restrict__ y, const float* __restrict__ part, long long C) {
  if (gridDim.y == 1) return;
  const Piece piece(C);
  x += blockIdx.x * C + piece.begin;
  y += blockIdx.x * C + piece.begin;
  const Exponentials found = joined(reinterpret_cast<const float2*>(part) + blockIdx.x * gridDim.y, gridDim.y, false);
  if (C % 4 == 0) store<Result>(Row<float4>(x, piece.length), y, found);
  else store<Result>(Row<float>(x, piece.length), y, found);
}
