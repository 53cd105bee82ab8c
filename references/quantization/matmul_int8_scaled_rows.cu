// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply grid [div_up(N, 128), div_up(M, 128)] block [256] shared [4 * 128 * 132] (a, b, scale, y, M, K, N)
*/
// A block computes a tile of 128 x 128 on tensor cores, each of its eight warps 32 x 64 of it. Pieces of 64 terms are copied to shared
// memory, two of them ahead of the one that is worked on; what is outside of the matrices is zero. Sums are 32-bit integers.
#include <cuda_pipeline_primitives.h>
#include <mma.h>
#include <stdint.h>

using namespace nvcuda;

constexpr int kTile = 128, kDepth = 64, kStages = 3, kThreads = 256, kPart = 16;
constexpr int kPiece = kTile * kDepth, kPitchOut = kTile + 4;

// A tile lies in strips of sixteen columns, so that sixteen rows of a strip are in one piece and aligned as fragments must be.
template <int kHeight, int kWidth>
__device__ void copy(int8_t* tile, const int8_t* __restrict__ from, int64_t row, int64_t column, int64_t rows, int64_t columns) {
  for (int e = threadIdx.x; e < kHeight * kWidth / kPart; e += kThreads) {
    const int r = e / (kWidth / kPart), strip = e % (kWidth / kPart);
    const int64_t c = column + strip * kPart;
    int8_t* to = tile + (strip * kHeight + r) * kPart;
    const int8_t* in = from + (row + r) * columns + c;
    const bool inside = row + r < rows && c < columns;
    if (columns % kPart == 0) {
      __pipeline_memcpy_async(to, inside ? in : from, kPart, inside ? 0 : kPart);
    } else {
      for (int i = 0; i < kPart; ++i) to[i] = inside && c + i < columns ? in[i] : 0;
    }
  }
}

extern "C" __global__ void __launch_bounds__(kThreads)
    multiply(const int8_t* __restrict__ a, const int8_t* __restrict__ b, const float* __restrict__ scale, float* __restrict__ y,
             long long M, long long K, long long N) {
  extern __shared__ __align__(128) char shared[];
  int8_t* tiles = reinterpret_cast<int8_t*>(shared);
  const int64_t m0 = blockIdx.y * (int64_t)kTile, n0 = blockIdx.x * (int64_t)kTile;
  const int warp = threadIdx.x / 32, top = warp / 2 * 32, left = warp % 2 * 64;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum[2][4];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j) wmma::fill_fragment(sum[i][j], 0);

  // An empty group of copies keeps the count of those under way.
  const auto start = [&](int64_t k, int stage) {
    if (k < K) {
      copy<kTile, kDepth>(tiles + stage * 2 * kPiece, a, m0, k, M, K);
      copy<kDepth, kTile>(tiles + stage * 2 * kPiece + kPiece, b, k, n0, K, N);
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
    const signed char* rows = reinterpret_cast<const signed char*>(tiles + stage * 2 * kPiece);
    const signed char* columns = rows + kPiece;
#pragma unroll
    for (int d = 0; d < kDepth; d += kPart) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> of_a[2];
      for (int i = 0; i < 2; ++i) wmma::load_matrix_sync(of_a[i], rows + (d / kPart * kTile + top + i * 16) * kPart, kPart);
      for (int j = 0; j < 4; ++j) {
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
    for (int j = 0; j < 4; ++j)
      wmma::store_matrix_sync(whole + (top + i * 16) * kPitchOut + left + j * 16, sum[i][j], kPitchOut, wmma::mem_row_major);
  __syncthreads();
  for (int e = threadIdx.x; e < kTile * kTile / 4; e += kThreads) {
    const int row = e / (kTile / 4), column = e % (kTile / 4) * 4;
    const int64_t m = m0 + row, n = n0 + column;
    if (m >= M || n >= N) continue;
    const int4 v = *reinterpret_cast<const int4*>(whole + row * kPitchOut + column);
    const float factor = scale[m];
    const float4 all = make_float4((float)v.x * factor, (float)v.y * factor, (float)v.z * factor, (float)v.w * factor);
    if (N % 4 == 0) {
      *reinterpret_cast<float4*>(y + m * N + n) = all;
      continue;
    }
    const float each[4] = {all.x, all.y, all.z, all.w};
    for (int i = 0; i < 4 && n + i < N; ++i) y[m * N + n + i] = each[i];
  }
}
