// SPDX-License-Identifier: Apache-2.0
// Products of matrices of signed 8-bit numbers on tensor cores. A block of eight warps computes a tile, each warp 32 rows of it. Pieces of
// 64 terms are copied to shared memory, two of them ahead of the one that is worked on; what is outside of the matrices is zero. Sums are
// 32-bit integers.
#pragma once

#include <cuda_pipeline_primitives.h>
#include <mma.h>
#include <stdint.h>

constexpr int kDepth = 64, kStages = 3, kThreads = 256, kPart = 16;

// kMatrices of `columns` columns lie side by side, and so do as many shares of the tile. It lies in strips of sixteen columns, so that
// sixteen rows of a strip are in one piece and aligned as fragments must be.
template <int kHeight, int kWidth, int kMatrices = 1>
__device__ void copy(int8_t* tile, const int8_t* __restrict__ from, int64_t row, int64_t column, int64_t rows, int64_t columns) {
  constexpr int kShare = kWidth / kPart / kMatrices;  // strips
  for (int e = threadIdx.x; e < kHeight * kWidth / kPart; e += kThreads) {
    const int r = e / (kWidth / kPart), strip = e % (kWidth / kPart);
    const int64_t c = column + strip % kShare * kPart;
    int8_t* to = tile + (strip * kHeight + r) * kPart;
    const int8_t* in = from + (row + r) * columns * kMatrices + strip / kShare * columns + c;
    const bool inside = row + r < rows && c < columns;
    if (columns % kPart == 0) {
      __pipeline_memcpy_async(to, inside ? in : from, kPart, inside ? 0 : kPart);
    } else {
      for (int i = 0; i < kPart; ++i) to[i] = inside && c + i < columns ? in[i] : 0;
    }
  }
}

template <int kRows, int kColumns>
struct Int8Tile {
  static constexpr int kDown = kRows / 32, kAcross = kThreads / 32 / kDown;  // warps
  static constexpr int kFragments = kColumns / kAcross / 16;
  static constexpr int kStage = (kRows + kColumns) * kDepth, kPitch = kColumns + 4;
};

// The sums of the tile that begins at m0 and n0, a row of it at each kPitch, in dynamic shared memory: of kRows * kPitch integers or three
// stages of kStage bytes, whichever is more. They begin on a line of 16 bytes.
template <int kRows, int kColumns, int kMatrices = 1>
__device__ const int* multiply_int8(const int8_t* __restrict__ a, const int8_t* __restrict__ b, int64_t m0, int64_t n0, int64_t M, int64_t K,
                                    int64_t N) {
  using namespace nvcuda;
  using Tile = Int8Tile<kRows, kColumns>;
  extern __shared__ __align__(128) char shared[];
  int8_t* tiles = reinterpret_cast<int8_t*>(shared);
  const int warp = threadIdx.x / 32, top = warp / Tile::kAcross * 32, left = warp % Tile::kAcross * Tile::kFragments * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum[2][Tile::kFragments];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < Tile::kFragments; ++j) wmma::fill_fragment(sum[i][j], 0);

  // An empty group of copies keeps the count of those under way.
  const auto start = [&](int64_t k, int stage) {
    if (k < K) {
      copy<kRows, kDepth>(tiles + stage * Tile::kStage, a, m0, k, M, K);
      copy<kDepth, kColumns, kMatrices>(tiles + stage * Tile::kStage + kRows * kDepth, b, k, n0, K, N);
    }
    __pipeline_commit();
  };
  start(0, 0);
  start(kDepth, 1);
  int stage = 0;
  for (int64_t k = 0; k < K; k += kDepth) {
    __pipeline_wait_prior(1);
    __syncthreads();
    start(k + 2 * kDepth, (stage + 2) % kStages);
    const signed char* rows = reinterpret_cast<const signed char*>(tiles + stage * Tile::kStage);
    const signed char* columns = rows + kRows * kDepth;
#pragma unroll
    for (int d = 0; d < kDepth; d += kPart) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> of_a[2];
      for (int i = 0; i < 2; ++i) wmma::load_matrix_sync(of_a[i], rows + (d / kPart * kRows + top + i * 16) * kPart, kPart);
      for (int j = 0; j < Tile::kFragments; ++j) {
        wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> of_b;
        wmma::load_matrix_sync(of_b, columns + ((left / kPart + j) * kDepth + d) * kPart, kPart);
        for (int i = 0; i < 2; ++i) wmma::mma_sync(sum[i][j], of_a[i], of_b, sum[i][j]);
      }
    }
    stage = (stage + 1) % kStages;
  }

  __pipeline_wait_prior(0);
  __syncthreads();
  int* whole = reinterpret_cast<int*>(shared);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < Tile::kFragments; ++j)
      wmma::store_matrix_sync(whole + (top + i * 16) * Tile::kPitch + left + j * 16, sum[i][j], Tile::kPitch, wmma::mem_row_major);
  __syncthreads();
  return whole;
}
