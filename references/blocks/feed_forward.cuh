// SPDX-License-Identifier: Apache-2.0
// Two linear layers, activated between: Activation::of(float). Weights have a row for each input feature.
#pragma once
#include "blocks/product.cuh"

// Stores finish(number + bias of its column).
template <class Finish>
struct StoreBiased {
  StoreRows rows;
  const float* bias;  // of the tile's first column
  Finish finish;

  __device__ float finished(float v, int column) const { return column < rows.columns_left ? finish(v + bias[column]) : 0; }
  __device__ void operator()(int row, int column, float2 pair) const {
    rows(row, column, make_float2(finished(pair.x, column), finished(pair.y, column + 1)));
  }
};

template <class Finish>
__device__ StoreBiased<Finish> store_biased(const StoreRows& rows, const float* bias, Finish finish) {
  return {rows, bias, finish};
}

// The hidden numbers [M, H], for a grid [div_up(H, 64), div_up(M, 64)] of blocks of 128.
template <class Activation>
__device__ void compute_hidden(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b,
                               float* __restrict__ hidden, long long M, long long C, long long H) {
  const long long m0 = blockIdx.y * (long long)kTile, n0 = blockIdx.x * (long long)kTile;
  multiply_alone(Rows(x, m0, M, C), Columns(w, n0, H, C), C,
                 store_biased(StoreRows(hidden, m0, M, n0, H), b + n0, [](float z) { return Activation::of(z); }));
}

// The second layer has long sums and few tiles: two groups share them. For a grid [div_up(D, 64), div_up(M, 64)] of blocks of 256.
__device__ void compute_output(const float* __restrict__ hidden, const float* __restrict__ w, const float* __restrict__ b,
                               float* __restrict__ y, long long M, long long H, long long D) {
  const long long m0 = blockIdx.y * (long long)kTile, n0 = blockIdx.x * (long long)kTile;
  const auto whole = multiply<2>(Rows(hidden, m0, M, H), Columns(w, n0, D, H), 0, H);
  const auto store = store_biased(StoreRows(y, m0, M, n0, D), b + n0, [](float z) { return z; });
  for (int e = threadIdx.x * 2; e < kTile * kTile; e += 2 * kGroup * 2)
    store(e / kTile, e % kTile, *reinterpret_cast<const float2*>(&whole[e / kTile][e % kTile]));
}
