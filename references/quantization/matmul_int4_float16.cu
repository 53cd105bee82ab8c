// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply grid [div_up(8 * N, 32), div_up(M, 64)] block [128] (x, q, scale, zeros, y, M, G, P, N)
*/
// A block computes a tile of 64 x 32 on tensor cores, each of its four warps 32 x 16 of it, and sums in float32. Pieces of 64 terms:
// those of x are copied to shared memory, and the words of eight codes are read, while the piece before is worked on; then weights are
// made of the codes. A code less its zero point times a scale is exact in float, and so rounded once.
#include <cuda_pipeline_primitives.h>
#include <mma.h>

#include "kernel.h"

using namespace nvcuda;

constexpr int kRows = 64, kColumns = 32, kDepth = 64, kThreads = 128;
constexpr int kPitchX = kDepth + 8, kPitchW = kColumns + 8, kPitchOut = kColumns + 4;
constexpr int kWords = kDepth / 8 * kColumns / kThreads;  // of a thread, in a piece

extern "C" __global__ void __launch_bounds__(kThreads)
    multiply(const float16* __restrict__ x, const int32_t* __restrict__ q, const float16* __restrict__ scale,
             const int32_t* __restrict__ zeros, float16* __restrict__ y, int64_t M, int64_t G, int64_t P, int64_t N) {
  alignas(128) __shared__ __half of_x[2][kRows * kPitchX];
  alignas(128) __shared__ __half of_w[2][kDepth * kPitchW];
  alignas(128) __shared__ float whole[kRows * kPitchOut];
  const int64_t m0 = blockIdx.y * (int64_t)kRows, n0 = blockIdx.x * (int64_t)kColumns, K = 8 * G * P, width = 8 * N;
  const int warp = threadIdx.x / 32, top = warp / 2 * 32, left = warp % 2 * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2];
  for (int i = 0; i < 2; ++i) wmma::fill_fragment(sum[i], 0.0f);

  const auto copy_x = [&](int64_t k, int stage) {
    for (int e = threadIdx.x; e < kRows * kDepth / 8; e += kThreads) {
      const int row = e / (kDepth / 8), column = e % (kDepth / 8) * 8;
      const bool inside = m0 + row < M && k + column < K;
      __pipeline_memcpy_async(&of_x[stage][row * kPitchX + column], inside ? x + (m0 + row) * K + k + column : x, 16, inside ? 0 : 16);
    }
    __pipeline_commit();
  };

  uint32_t words[kWords];
  float steps[kWords];
  int zero_points[kWords];
  const auto read_words = [&](int64_t k) {
    for (int i = 0; i < kWords; ++i) {
      const int e = threadIdx.x + i * kThreads;
      const int64_t row = k / 8 + e / kColumns, n = n0 + e % kColumns;
      words[i] = 0;
      steps[i] = 0;
      zero_points[i] = 0;
      if (row >= G * P || n >= width) continue;
      const int64_t group = row / P;
      words[i] = q[row * width + n];
      steps[i] = __half2float(scale[group * width + n]);
      zero_points[i] = zeros[group * N + n / 8] >> n % 8 * 4 & 15;
    }
  };
  const auto make_weights = [&](int stage) {
    for (int i = 0; i < kWords; ++i) {
      const int e = threadIdx.x + i * kThreads;
      __half* w = &of_w[stage][e / kColumns * 8 * kPitchW + e % kColumns];
      for (int j = 0; j < 8; ++j) {
        const int code = (int)(words[i] >> 4 * j & 15);
        w[j * kPitchW] = __float2half_rn((float)(code - zero_points[i]) * steps[i]);
      }
    }
  };

  copy_x(0, 0);
  read_words(0);
  int stage = 0;
  for (int64_t k = 0; k < K; k += kDepth, stage ^= 1) {
    make_weights(stage);
    __pipeline_wait_prior(0);
    __syncthreads();
    if (k + kDepth < K) {
      copy_x(k + kDepth, stage ^ 1);
      read_words(k + kDepth);
    }
#pragma unroll
    for (int d = 0; d < kDepth; d += 16) {
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b;
      wmma::load_matrix_sync(b, &of_w[stage][d * kPitchW + left], kPitchW);
      for (int i = 0; i < 2; ++i) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
        wmma::load_matrix_sync(a, &of_x[stage][(top + i * 16) * kPitchX + d], kPitchX);
        wmma::mma_sync(sum[i], a, b, sum[i]);
      }
    }
  }
  for (int i = 0; i < 2; ++i) wmma::store_matrix_sync(whole + (top + i * 16) * kPitchOut + left, sum[i], kPitchOut, wmma::mem_row_major);
  __syncthreads();
  for (int e = threadIdx.x; e < kRows * kColumns / 2; e += kThreads) {
    const int row = e / (kColumns / 2), column = e % (kColumns / 2) * 2;
    const float* v = whole + row * kPitchOut + column;
    if (m0 + row < M && n0 + column < width)
      *reinterpret_cast<__half2*>(y + (m0 + row) * width + n0 + column) = __floats2half2_rn(v[0], v[1]);
  }
}
