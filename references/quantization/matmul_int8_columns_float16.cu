// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply grid [div_up(N, 64), div_up(M, 128)] block [256] shared [3 * 2 * (128 * 72 + 64 * 72)] (a, b, scale, y, M, K, N)
*/
// A block computes a tile of 128 x 64 on tensor cores, each of its eight warps 32 x 32 of it, and sums in float32. Pieces of 64 terms of a
// are copied to shared memory, two of them ahead of the one that is worked on; those of b are read one ahead, and weights are made of them.
// What is outside of the matrices is zero in both.
#include <cuda_pipeline_primitives.h>
#include <mma.h>

#include "kernel.h"

using namespace nvcuda;

constexpr int kRows = 128, kColumns = 64, kDepth = 64, kStages = 3, kThreads = 256;
constexpr int kPitchA = kDepth + 8, kPitchB = kColumns + 8, kStage = kRows * kPitchA + kDepth * kPitchB;
constexpr int kPitchOut = kColumns + 4, kEach = kDepth * kColumns / kThreads;

// tile[r][c] = from[(row + r) * columns + column + c], eight at a time where matrices have rows of a multiple of that.
template <int kHeight, int kWidth, int kPitch>
__device__ void copy(__half* tile, const __half* __restrict__ from, int64_t row, int64_t column, int64_t rows, int64_t columns) {
  if (columns % 8 == 0) {
    for (int e = threadIdx.x; e < kHeight * kWidth / 8; e += kThreads) {
      const int r = e / (kWidth / 8), c = e % (kWidth / 8) * 8;
      const bool inside = row + r < rows && column + c < columns;
      __pipeline_memcpy_async(tile + r * kPitch + c, inside ? from + (row + r) * columns + column + c : from, 16, inside ? 0 : 16);
    }
    return;
  }
  for (int e = threadIdx.x; e < kHeight * kWidth; e += kThreads) {
    const int r = e / kWidth, c = e % kWidth;
    const bool inside = row + r < rows && column + c < columns;
    tile[r * kPitch + c] = inside ? from[(row + r) * columns + column + c] : __float2half_rn(0);
  }
}

extern "C" __global__ void __launch_bounds__(kThreads)
    multiply(const float16* __restrict__ a, const int8_t* __restrict__ b, const float* __restrict__ scale, float16* __restrict__ y,
             int64_t M, int64_t K, int64_t N) {
  extern __shared__ __align__(128) char shared[];
  __half* tiles = reinterpret_cast<__half*>(shared);
  const int64_t m0 = blockIdx.y * (int64_t)kRows, n0 = blockIdx.x * (int64_t)kColumns;
  const int warp = threadIdx.x / 32, top = warp / 2 * 32, left = warp % 2 * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) wmma::fill_fragment(sum[i][j], 0.0f);

  // An empty group of copies keeps the count of those under way.
  const auto start = [&](int64_t k, int stage) {
    if (k < K) copy<kRows, kDepth, kPitchA>(tiles + stage * kStage, a, m0, k, M, K);
    __pipeline_commit();
  };

  // A thread has sixteen neighbouring weights of a piece, in the same columns of each.
  const int row_b = threadIdx.x / (kColumns / kEach), column_b = threadIdx.x % (kColumns / kEach) * kEach;
  const int64_t n_b = n0 + column_b;
  float steps[kEach];
  alignas(16) int8_t codes[kEach];
  for (int i = 0; i < kEach; ++i) steps[i] = n_b + i < N ? scale[n_b + i] : 0;
  const auto read_codes = [&](int64_t k) {
    const int8_t* from = b + (k + row_b) * N + n_b;
    const bool exists = k + row_b < K;
    if (exists && N % kEach == 0 && n_b < N) {
      *reinterpret_cast<uint4*>(codes) = *reinterpret_cast<const uint4*>(from);
    } else {
      for (int i = 0; i < kEach; ++i) codes[i] = exists && n_b + i < N ? from[i] : 0;
    }
  };
  const auto make_weights = [&](int stage) {
    __half* to = tiles + stage * kStage + kRows * kPitchA + row_b * kPitchB + column_b;
    for (int i = 0; i < kEach; i += 2)
      *reinterpret_cast<__half2*>(to + i) = __floats2half2_rn((float)codes[i] * steps[i], (float)codes[i + 1] * steps[i + 1]);
  };
  start(0, 0);
  start(kDepth, 1);
  read_codes(0);
  int stage = 0;
  for (int64_t k = 0; k < K; k += kDepth) {
    make_weights(stage);
    __pipeline_wait_prior(1);
    __syncthreads();
    start(k + 2 * kDepth, (stage + 2) % kStages);
    if (k + kDepth < K) read_codes(k + kDepth);
    const __half* rows = tiles + stage * kStage;
    const __half* columns = rows + kRows * kPitchA;
#pragma unroll
    for (int d = 0; d < kDepth; d += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> of_a[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> of_b[2];
      for (int i = 0; i < 2; ++i) {
        wmma::load_matrix_sync(of_a[i], rows + (top + i * 16) * kPitchA + d, kPitchA);
        wmma::load_matrix_sync(of_b[i], columns + d * kPitchB + left + i * 16, kPitchB);
      }
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) wmma::mma_sync(sum[i][j], of_a[i], of_b[j], sum[i][j]);
    }
    stage = (stage + 1) % kStages;
  }

  __pipeline_wait_prior(0);
  __syncthreads();
  float* whole = reinterpret_cast<float*>(shared);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      wmma::store_matrix_sync(whole + (top + i * 16) * kPitchOut + left + j * 16, sum[i][j], kPitchOut, wmma::mem_row_major);
  __syncthreads();
  for (int e = threadIdx.x; e < kRows * kColumns / 2; e += kThreads) {
    const int row = e / (kColumns / 2), column = e % (kColumns / 2) * 2;
    const int64_t m = m0 + row, n = n0 + column;
    if (m >= M || n >= N) continue;
    const float* v = whole + row * kPitchOut + column;
    if (N % 2 == 0) {
      *reinterpret_cast<__half2*>(y + m * N + n) = __floats2half2_rn(v[0], v[1]);
    } else {
      y[m * N + n] = __float2half_rn(v[0]);
      if (n + 1 < N) y[m * N + n + 1] = __float2half_rn(v[1]);
    }
  }
}
