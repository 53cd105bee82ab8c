// SPDX-License-Identifier: Apache-2.0
// Gradients of softmax attention of H heads by five products: the scores and the gradients by the weights, both kept, whose rows become weights and
// gradients by scores in place, and the gradients by values, keys and queries. Where attention is causal, no tile above the diagonal is touched.
#pragma once

#include "blocks/product.cuh"

constexpr int kSoftening = 256, kWarps = kSoftening / 32, kHeld = 4;  // numbers of a row that a thread holds in registers

// A block's head, first row and first column of its matrices [rows, columns].
struct Place {
  long long head, row, column;
  __device__ Place(long long rows, long long columns) {
    const unsigned across = (columns + kTile - 1) / kTile, down = (rows + kTile - 1) / kTile;
    head = blockIdx.x / (across * down);
    row = blockIdx.x / across % down * (long long)kTile;
    column = blockIdx.x % across * (long long)kTile;
  }
};

// to[H, rows, columns] = left[H, rows, D] right[H, columns, D]^T. Grid [H * div_up(rows, 64) * div_up(columns, 64)] of 128 threads.
template <bool causal>
__device__ void multiply_heads(const float* __restrict__ left, const float* __restrict__ right, float* __restrict__ to, long long rows,
                               long long columns, long long D) {
  const Place place(rows, columns);
  if (causal && place.column > place.row) return;
  multiply_alone(Rows(left + place.head * rows * D, place.row, rows, D), Rows(right + place.head * columns * D, place.column, columns, D), D,
                 StoreRows(to + place.head * rows * columns, place.row, rows, place.column, columns));
}

struct Pair {
  float x, y;
};

// Of all threads of the block, for all of them.
template <class Join>
__device__ Pair of_block(Pair value, Join join) {
  __shared__ Pair of_warp[kWarps];
  for (int width = 16; width > 0; width /= 2)
    value = join(value, Pair{__shfl_xor_sync(0xffffffff, value.x, width), __shfl_xor_sync(0xffffffff, value.y, width)});
  __syncthreads();
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = of_warp[0];
  for (int warp = 1; warp < kWarps; ++warp) value = join(value, of_warp[warp]);
  return value;
}

// A row of scores becomes weights, and one of gradients by weights such by scores, both in place. Grid [H * N] of 256 threads.
template <bool causal>
__device__ void bend_rows(float* __restrict__ weights, float* __restrict__ slopes, long long N, long long S, long long D) {
  const long long n = blockIdx.x % N, seen = causal ? n + 1 : S;
  // Products take all of a tile's columns.
  const long long written = causal ? min((n / kTile + 1) * kTile, S) : S;
  weights += blockIdx.x * S;
  slopes += blockIdx.x * S;
  const float scale = 1 / sqrtf((float)D);
  const long long rest = threadIdx.x + (long long)kHeld * kSoftening;
  float score[kHeld], slope[kHeld], top = __int_as_float(0xff800000);
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    const long long s = threadIdx.x + i * kSoftening;
    score[i] = s < seen ? weights[s] * scale : __int_as_float(0xff800000);
    slope[i] = s < seen ? slopes[s] : 0;
    top = fmaxf(top, score[i]);
  }
  for (long long s = rest; s < seen; s += kSoftening) top = fmaxf(top, weights[s] * scale);
  top = of_block(Pair{top, 0}, [](Pair a, Pair b) { return Pair{fmaxf(a.x, b.x), 0}; }).x;
  Pair sums{0, 0};  // of powers, and of their products with slopes
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    score[i] = threadIdx.x + i * kSoftening < seen ? expf(score[i] - top) : 0;
    sums.x += score[i];
    sums.y = fmaf(score[i], slope[i], sums.y);
  }
  for (long long s = rest; s < seen; s += kSoftening) {
    const float power = expf(weights[s] * scale - top);
    sums.x += power;
    sums.y = fmaf(power, slopes[s], sums.y);
  }
  sums = of_block(sums, [](Pair a, Pair b) { return Pair{a.x + b.x, a.y + b.y}; });
  const float common = sums.y / sums.x;
  const auto write = [&](long long s, float power, float by_weight) {
    const float weight = power / sums.x;
    weights[s] = weight;
    slopes[s] = weight * (by_weight - common) * scale;
  };
#pragma unroll
  for (int i = 0; i < kHeld; ++i)
    if (threadIdx.x + i * kSoftening < written) write(threadIdx.x + i * kSoftening, score[i], slope[i]);
  for (long long s = rest; s < written; s += kSoftening)
    write(s, s < seen ? expf(weights[s] * scale - top) : 0, s < seen ? slopes[s] : 0);
}

__device__ void store_tile(const float (*whole)[kPitch], StoreRows store) {
  for (int e = threadIdx.x * 2; e < kTile * kTile; e += 4 * kGroup)
    store(e / kTile, e % kTile, *reinterpret_cast<const float2*>(&whole[e / kTile][e % kTile]));
}

// to[H, S, D] = matrices[H, N, S]^T rows[H, N, D]. Grid [H * div_up(S, 64) * div_up(D, 64)] of 256 threads.
template <bool causal>
__device__ void multiply_turned(const float* __restrict__ matrices, const float* __restrict__ rows, float* __restrict__ to, long long N,
                                long long S, long long D) {
  const Place place(S, D);
  const auto whole = multiply<2>(Columns(matrices + place.head * N * S, place.row, S, N), Columns(rows + place.head * N * D, place.column, D, N),
                                 causal ? place.row : 0, N);
  store_tile(whole, StoreRows(to + place.head * S * D, place.row, S, place.column, D));
}

// to[H, N, D] = matrices[H, N, S] rows[H, S, D]. Grid [H * div_up(N, 64) * div_up(D, 64)] of 256 threads.
template <bool causal>
__device__ void multiply_straight(const float* __restrict__ matrices, const float* __restrict__ rows, float* __restrict__ to, long long N,
                                  long long S, long long D) {
  const Place place(N, D);
  const auto whole = multiply<2>(Rows(matrices + place.head * N * S, place.row, N, S), Columns(rows + place.head * S * D, place.column, D, S), 0,
                                 causal ? min(place.row + kTile, S) : S);
  store_tile(whole, StoreRows(to + place.head * N * D, place.row, N, place.column, D));
}
