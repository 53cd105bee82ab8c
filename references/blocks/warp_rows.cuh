// SPDX-License-Identifier: Apache-2.0
// Sums of rows of D numbers, each of a warp, or a piece of one: grid [div_up(rows, 8), min(div_up(D, 128 * kUnits), 65535)] of 256 threads.
// The file that includes this says how many units of one or four numbers a lane holds, kUnits.
#pragma once

__device__ float scaled(float factor, float v, float sum) { return fmaf(factor, v, sum); }
__device__ float4 scaled(float factor, float4 v, float4 sum) {
  return make_float4(fmaf(factor, v.x, sum.x), fmaf(factor, v.y, sum.y), fmaf(factor, v.z, sum.z), fmaf(factor, v.w, sum.w));
}

__device__ long long row_of_warp() { return blockIdx.x * 8ll + threadIdx.x / 32; }

// A piece of a row: a lane has the sums of every 32nd unit. A warp has the pieces from begin() on, step() apart.
template <class Unit>
struct Piece {
  static constexpr int kEach = sizeof(Unit) / sizeof(float), kWidth = 32 * kUnits * kEach;
  long long first, units;
  Unit sums[kUnits] = {};

  static __device__ long long begin() { return blockIdx.y * (long long)kWidth; }
  static __device__ long long step() { return gridDim.y * (long long)kWidth; }

  __device__ Piece(long long at, long long D) : first(at / kEach + threadIdx.x % 32), units(D / kEach) {}

  // Calls f with each of the sums and the unit of a row that belongs to it.
  template <class F>
  __device__ void each(const float* row, F f) {
#pragma unroll
    for (int i = 0; i < kUnits; ++i)
      if (first + i * 32 < units) f(sums[i], reinterpret_cast<const Unit*>(row)[first + i * 32]);
  }
  __device__ void add(float factor, const float* row) {
    each(row, [&](Unit& sum, Unit v) { sum = scaled(factor, v, sum); });
  }
  __device__ void add(float factor, const Piece& other) {
#pragma unroll
    for (int i = 0; i < kUnits; ++i) sums[i] = scaled(factor, other.sums[i], sums[i]);
  }
  __device__ void multiply(float factor) {
#pragma unroll
    for (int i = 0; i < kUnits; ++i) sums[i] = scaled(factor, sums[i], Unit{});
  }
  __device__ void load(const float* row) {
    each(row, [](Unit& sum, Unit v) { sum = v; });
  }
  __device__ void store(float* row) const {
#pragma unroll
    for (int i = 0; i < kUnits; ++i)
      if (first + i * 32 < units) reinterpret_cast<Unit*>(row)[first + i * 32] = sums[i];
  }
};
