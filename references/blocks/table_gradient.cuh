// SPDX-License-Identifier: Apache-2.0
// The gradient of an embedding's table. Each row of the table has a chain of the gradients that belong to it, of which the last one that
// came is the first: first[v] and next[k] are one more than a place, or 0 at a chain's end. So each row is written once, and each
// gradient read once; few meet in a row as a rule, for a chain is walked one by one.
#pragma once

constexpr int kUnits = 4;
#include "blocks/warp_rows.cuh"

__device__ void link_gradients(const long long* __restrict__ indices, const long long* __restrict__ padding, int* __restrict__ first,
                               int* __restrict__ next, long long K) {
  const long long k = blockIdx.x * 256ll + threadIdx.x;
  if (k >= K) return;
  const long long v = indices[k];
  if (v != *padding) next[k] = atomicExch(first + v, (int)k + 1);
}

template <class Unit, bool mean>
__device__ void add_chain(const float* __restrict__ dy, int begin, const int* __restrict__ next, float* __restrict__ row, long long D) {
  for (long long d = Piece<Unit>::begin(); d < D; d += Piece<Unit>::step()) {
    Piece<Unit> piece(d, D);
    int count = 0;
    for (int at = begin; at != 0; ++count) {
      const long long k = at - 1;
      at = next[k];
      piece.add(1, dy + k * D);
    }
    if (mean && count > 1) piece.multiply(1.0f / count);
    piece.store(row);
  }
}

template <bool mean>
__device__ void add_gradients(const float* __restrict__ dy, const int* __restrict__ first, const int* __restrict__ next,
                              float* __restrict__ dtable, long long V, long long D) {
  const long long v = row_of_warp();
  if (v >= V) return;
  if (D % 4 == 0) add_chain<float4, mean>(dy, first[v], next, dtable + v * D, D);
  else add_chain<float, mean>(dy, first[v], next, dtable + v * D, D);
}
