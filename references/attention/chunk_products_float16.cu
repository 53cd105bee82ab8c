// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply grid [div_up(C, 64), div_up(C, 64), B * M] block [128] (a, b, sequence, y, C, K)
*/
// A block computes a tile of 64 x 64 of a chunk's pairs on tensor cores, each of its four warps 32 x 32 of it, and sums in float32. What is
// outside of the chunk is zero.
#include <mma.h>

#include "kernel.h"

using namespace nvcuda;

constexpr int kTile = 64, kDepth = 64, kThreads = 128, kPitch = kDepth + 8, kPitchOut = kTile + 4;

// tile[r][c] = from[(row + r) * columns + column + c], eight at a time where rows are a multiple of that.
__device__ void load(__half* tile, const __half* __restrict__ from, int64_t row, int64_t column, int64_t rows, int64_t columns) {
  if (columns % 8 == 0) {
    for (int e = threadIdx.x; e < kTile * kDepth / 8; e += kThreads) {
      const int r = e / (kDepth / 8), c = e % (kDepth / 8) * 8;
      const bool inside = row + r < rows && column + c < columns;
      const uint4 none = make_uint4(0, 0, 0, 0);
      *reinterpret_cast<uint4*>(tile + r * kPitch + c) =
          inside ? *reinterpret_cast<const uint4*>(from + (row + r) * columns + column + c) : none;
    }
    return;
  }
  for (int e = threadIdx.x; e < kTile * kDepth; e += kThreads) {
    const int r = e / kDepth, c = e % kDepth;
    const bool inside = row + r < rows && column + c < columns;
    tile[r * kPitch + c] = inside ? from[(row + r) * columns + column + c] : __float2half_rn(0);
  }
}

extern "C" __global__ void __launch_bounds__(kThreads)
    multiply(const float16* __restrict__ a, const float16* __restrict__ b, const int64_t* __restrict__ sequence, float16* __restrict__ y,
             int64_t C, int64_t K) {
  alignas(128) __shared__ __half rows[kTile * kPitch], columns[kTile * kPitch];
  alignas(128) __shared__ float whole[kTile * kPitchOut];
  const int64_t chunk = blockIdx.z, i0 = blockIdx.y * (int64_t)kTile, j0 = blockIdx.x * (int64_t)kTile;
  const int warp = threadIdx.x / 32, top = warp / 2 * 32, left = warp % 2 * 32;
  a += chunk * C * K;
  b += chunk * C * K;
  sequence += chunk * C;
  y += chunk * C * C;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) wmma::fill_fragment(sum[i][j], 0.0f);
  for (int64_t k = 0; k < K; k += kDepth) {
    __syncthreads();
    load(rows, a, i0, k, C, K);
    load(columns, b, j0, k, C, K);
    __syncthreads();
#pragma unroll
    for (int d = 0; d < kDepth; d += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> of_a[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> of_b[2];
      for (int i = 0; i < 2; ++i) {
        wmma::load_matrix_sync(of_a[i], rows + (top + i * 16) * kPitch + d, kPitch);
        wmma::load_matrix_sync(of_b[i], columns + (left + i * 16) * kPitch + d, kPitch);
      }
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) wmma::mma_sync(sum[i][j], of_a[i], of_b[j], sum[i][j]);
    }
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      wmma::store_matrix_sync(whole + (top + i * 16) * kPitchOut + left + j * 16, sum[i][j], kPitchOut, wmma::mem_row_major);
  __syncthreads();
  for (int e = threadIdx.x; e < kTile * kTile; e += kThreads) {
    const int64_t i = i0 + e / kTile, j = j0 + e % kTile;
    if (i < C && j < C) y[i * C + j] = __float2half_rn(sequence[i] == sequence[j] ? whole[e / kTile * kPitchOut + e % kTile] : 0);
  }
}
