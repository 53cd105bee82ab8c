// SPDX-License-Identifier: Apache-2.0
// Linear layers, and attention of heads that lie side by side in what a layer gives.
#pragma once

#include "blocks/attention.cuh"
#include "blocks/product.cuh"

// y[M, N] = x[M, K] w + b for N of the `columns` columns of w and b, from `first` on. Grid [div_up(N, 64), div_up(M, 64)] of 128 threads.
extern "C" __global__ void __launch_bounds__(kGroup, 4)
    layer(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b, float* __restrict__ y, long long M, long long K,
          long long N, long long first, long long columns) {
  const long long m0 = blockIdx.y * (long long)kTile, n0 = blockIdx.x * (long long)kTile;
  const StoreRows store(y, m0, M, n0, N);
  b += first + n0;
  multiply_alone(Rows(x, m0, M, K), Columns(w, first + n0, columns, K), K, [&](int row, int column, float2 pair) {
    if (column < store.columns_left) pair.x += b[column];
    if (column + 1 < store.columns_left) pair.y += b[column + 1];
    store(row, column, pair);
  });
}

// Sequences of T rows, each the queries of H heads, then the keys and the values of heads that `share` neighbours have in common.
template <class See>
__device__ void attend_packed(const float* packed, float* mixed, long long T, long long H, long long share, long long D, See see) {
  const long long head = head_of_block(D), sequence = head / H, h = head % H;
  const long long width = H * D, key_width = H / share * D, stride = width + 2 * key_width;
  const float* q = packed + sequence * T * stride + h * D;
  const float* k = packed + sequence * T * stride + width + h / share * D;
  attend(Head{q, stride}, Head{k, stride}, Head{k + key_width, stride}, Head{mixed + sequence * T * width + h * D, width}, T, D, see);
}
