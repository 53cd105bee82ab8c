// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply grid [div_up(N, 64), div_up(M, 128), B] block [256] shared [3 * 2 * (128 * 72 + 2 * 64 * 72)]
                   (x, w, scale, offset, bias, y, M, K, N)
*/
// A block computes a tile of 128 x 64 on tensor cores, each of its eight warps 32 x 32 of it, and sums in float32. Pieces of 64 terms of x
// are copied to shared memory, two of them ahead of the one that is worked on; those of w are read one ahead. A weight without its scale,
// code + offset, is the sum of two float16 to 2^-22 of it; scales meet the sums. An infinity of x has no place in such sums: tiles that met
// one are computed once more, term by term.
#include <cuda_pipeline_primitives.h>
#include <mma.h>

#include "kernel.h"

using namespace nvcuda;

constexpr int kRows = 128, kColumns = 64, kDepth = 64, kStages = 3, kThreads = 256;
constexpr int kPitchX = kDepth + 8, kPitchW = kColumns + 8, kPart = kDepth * kPitchW, kStage = kRows * kPitchX + 2 * kPart;
constexpr int kPitchOut = kColumns + 4, kEach = kDepth * kColumns / kThreads;

// tile[r][c] = x[row + r][column + c] or zero, eight at a time where matrices have rows of a multiple of that.
__device__ void copy(__half* tile, const __half* __restrict__ x, int64_t row, int64_t column, int64_t rows, int64_t columns) {
  if (columns % 8 == 0) {
    for (int e = threadIdx.x; e < kRows * kDepth / 8; e += kThreads) {
      const int r = e / (kDepth / 8), c = e % (kDepth / 8) * 8;
      const bool inside = row + r < rows && column + c < columns;
      __pipeline_memcpy_async(tile + r * kPitchX + c, inside ? x + (row + r) * columns + column + c : x, 16, inside ? 0 : 16);
    }
    return;
  }
  for (int e = threadIdx.x; e < kRows * kDepth; e += kThreads) {
    const int r = e / kDepth, c = e % kDepth;
    const bool inside = row + r < rows && column + c < columns;
    tile[r * kPitchX + c] = inside ? x[(row + r) * columns + column + c] : __float2half_rn(0);
  }
}

// A thread has sixteen neighbouring weights of a piece, in the same columns of each. What it makes of those outside meets zeros of x, or
// is in columns that are not stored.
struct Weights {
  const int8_t* from;
  int64_t K, N;
  int row, column, width;
  __half offset[kEach];
  alignas(16) int8_t codes[kEach];

  __device__ Weights(const int8_t* w, const float16* offsets, int64_t n0, int64_t K, int64_t N)
      : K(K), N(N), row(threadIdx.x / (kColumns / kEach)), column(threadIdx.x % (kColumns / kEach) * kEach) {
    const int64_t n = n0 + column;
    from = w + n;
    width = (int)max(min(N - n, (int64_t)kEach), (int64_t)0);
#pragma unroll
    for (int i = 0; i < kEach; ++i) offset[i] = i < width ? offsets[n + i] : __float2half_rn(0);
  }
  __device__ void read(int64_t k) {
    const int8_t* in = from + (k + row) * N;
    const bool exists = k + row < K;
    if (exists && N % kEach == 0 && width > 0) {
      *reinterpret_cast<uint4*>(codes) = *reinterpret_cast<const uint4*>(in);
    } else {
#pragma unroll
      for (int i = 0; i < kEach; ++i) codes[i] = exists && i < width ? in[i] : 0;
    }
  }
  __device__ void put(__half* tile) const {
    __half* to = tile + row * kPitchW + column;
#pragma unroll
    for (int i = 0; i < kEach; i += 2) {
      const float first = (float)codes[i] + __half2float(offset[i]), second = (float)codes[i + 1] + __half2float(offset[i + 1]);
      const __half2 near = __floats2half2_rn(first, second);
      const float2 of_near = __half22float2(near);
      *reinterpret_cast<__half2*>(to + i) = near;
      *reinterpret_cast<__half2*>(to + kPart + i) = __floats2half2_rn(first - of_near.x, second - of_near.y);
    }
  }
};

extern "C" __global__ void __launch_bounds__(kThreads, 2)
    multiply(const float16* __restrict__ x, const int8_t* __restrict__ w, const float16* __restrict__ scale,
             const float16* __restrict__ offset, const float* __restrict__ bias, float16* __restrict__ y, int64_t M, int64_t K, int64_t N) {
  extern __shared__ __align__(128) char shared[];
  __half* tiles = reinterpret_cast<__half*>(shared);
  x += blockIdx.z * M * K;
  w += blockIdx.z * K * N;
  scale += blockIdx.z * N;
  offset += blockIdx.z * N;
  bias += blockIdx.z * N;
  y += blockIdx.z * M * N;
  const int64_t m0 = blockIdx.y * (int64_t)kRows, n0 = blockIdx.x * (int64_t)kColumns;
  const int warp = threadIdx.x / 32, top = warp / 2 * 32, left = warp % 2 * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) wmma::fill_fragment(sum[i][j], 0.0f);

  // An empty group of copies keeps the count of those under way.
  const auto start = [&](int64_t k, int stage) {
    if (k < K) copy(tiles + stage * kStage, x, m0, k, M, K);
    __pipeline_commit();
  };
  Weights weights(w, offset, n0, K, N);
  start(0, 0);
  start(kDepth, 1);
  weights.read(0);
  int stage = 0;
  for (int64_t k = 0; k < K; k += kDepth) {
    weights.put(tiles + stage * kStage + kRows * kPitchX);
    __pipeline_wait_prior(1);
    __syncthreads();
    start(k + 2 * kDepth, (stage + 2) % kStages);
    if (k + kDepth < K) weights.read(k + kDepth);
    const __half* rows = tiles + stage * kStage;
    const __half* columns = rows + kRows * kPitchX;
#pragma unroll
    for (int d = 0; d < kDepth; d += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> of_x[2];
      for (int i = 0; i < 2; ++i) wmma::load_matrix_sync(of_x[i], rows + (top + i * 16) * kPitchX + d, kPitchX);
      // The small parts first.
      for (int part = 1; part >= 0; --part)
        for (int j = 0; j < 2; ++j) {
          wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> of_w;
          wmma::load_matrix_sync(of_w, columns + part * kPart + d * kPitchW + left + j * 16, kPitchW);
          for (int i = 0; i < 2; ++i) wmma::mma_sync(sum[i][j], of_x[i], of_w, sum[i][j]);
        }
    }
    stage = (stage + 1) % kStages;
  }

  bool is_finite = true;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      for (int t = 0; t < sum[i][j].num_elements; ++t) is_finite &= sum[i][j].x[t] - sum[i][j].x[t] == 0;
  __pipeline_wait_prior(0);
  const bool plainly = __syncthreads_or(!is_finite);
  float* whole = reinterpret_cast<float*>(shared);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      wmma::store_matrix_sync(whole + (top + i * 16) * kPitchOut + left + j * 16, sum[i][j], kPitchOut, wmma::mem_row_major);
  __syncthreads();
  for (int e = threadIdx.x; e < kRows * kColumns; e += kThreads) {
    const int row = e / kColumns, column = e % kColumns;
    const int64_t m = m0 + row, n = n0 + column;
    if (m >= M || n >= N) continue;
    float all = whole[row * kPitchOut + column];
    if (plainly) {
      const float shift = __half2float(offset[n]);
      all = 0;
      for (int64_t k = 0; k < K; ++k) all = fmaf(__half2float(x[m * K + k]), (float)w[k * N + n] + shift, all);
    }
    y[m * N + n] = __float2half_rn(fmaf(all, __half2float(scale[n]), bias[n]));
  }
}
