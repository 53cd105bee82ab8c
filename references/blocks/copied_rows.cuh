// SPDX-License-Identifier: Apache-2.0
// Rows of D numbers that a warp copies each, four numbers at a time where rows are a multiple of that, for blocks of eight warps.
#pragma once

__device__ long long row_of_warp() { return blockIdx.x * 8ll + threadIdx.x / 32; }

// Every thirty-second of kEach units, to `copies` rows of `units`, one behind the other.
template <int kEach, class Unit>
__device__ void copy_units(const Unit* __restrict__ in, Unit* __restrict__ out, long long units, long long copies) {
  Unit held[kEach];
#pragma unroll
  for (int i = 0; i < kEach; ++i) held[i] = in[i * 32];
#pragma unroll 1
  for (long long copy = 0; copy < copies; ++copy, out += units) {
#pragma unroll
    for (int i = 0; i < kEach; ++i) out[i * 32] = held[i];
  }
}

template <class Unit>
__device__ void copy_row_of(const float* __restrict__ from, float* __restrict__ to, long long units, long long copies) {
  constexpr int kEach = 2;
  const Unit* in = reinterpret_cast<const Unit*>(from);
  Unit* out = reinterpret_cast<Unit*>(to);
  long long u = threadIdx.x % 32;
#pragma unroll 1
  for (; u + (kEach - 1) * 32 < units; u += kEach * 32) copy_units<kEach>(in + u, out + u, units, copies);
#pragma unroll 1
  for (; u < units; u += 32) copy_units<1>(in + u, out + u, units, copies);
}

__device__ void copy_row(const float* __restrict__ from, float* __restrict__ to, long long D, long long copies = 1) {
  if (D % 4 == 0) copy_row_of<float4>(from, to, D / 4, copies);
  else copy_row_of<float>(from, to, D, copies);
}
