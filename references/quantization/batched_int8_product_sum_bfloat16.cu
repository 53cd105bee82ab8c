// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply grid [div_up(N, 128), div_up(M, 64)] block [256] shared [3 * 64 * (64 + 128)]
                   (a, b, row_scale, column_scale, y, B, M, K, N)
*/
// A block has a tile of all pairs, one after the other, and a thread holds its 32 numbers of their sum in registers.
#include "blocks/int8_product.cuh"
#include "kernel.h"

constexpr int kRows = 64, kColumns = 128, kFours = kRows * kColumns / 4 / kThreads;  // a thread's

extern "C" __global__ void __launch_bounds__(kThreads)
    multiply(const int8_t* __restrict__ a, const int8_t* __restrict__ b, const float* __restrict__ row_scale,
             const float* __restrict__ column_scale, bfloat16* __restrict__ y, int64_t B, int64_t M, int64_t K, int64_t N) {
  constexpr int kPitch = Int8Tile<kRows, kColumns>::kPitch, kDown = kThreads / (kColumns / 4);  // rows from a thread's four to its next
  const int64_t m0 = blockIdx.y * (int64_t)kRows, n0 = blockIdx.x * (int64_t)kColumns;
  const int row = threadIdx.x / (kColumns / 4), column = threadIdx.x % (kColumns / 4) * 4;
  float sum[kFours][4] = {};
  for (int64_t pair = 0; pair < B; ++pair) {
    const int* whole = multiply_int8<kRows, kColumns>(a + pair * M * K, b + pair * K * N, m0, n0, M, K, N);
#pragma unroll
    for (int i = 0; i < kFours; ++i) {
      const int64_t m = m0 + row + i * kDown;
      if (m >= M) continue;
      const float scale = row_scale[pair * M + m];
      const int4 sums = *reinterpret_cast<const int4*>(whole + (row + i * kDown) * kPitch + column);
      sum[i][0] += (float)sums.x * scale;
      sum[i][1] += (float)sums.y * scale;
      sum[i][2] += (float)sums.z * scale;
      sum[i][3] += (float)sums.w * scale;
    }
    __syncthreads();  // the next pair's pieces come to where these sums are
  }
  const int64_t n = n0 + column;
  const int width = (int)min(N - n, (int64_t)4);
  float scale[4];
  for (int j = 0; j < 4; ++j) scale[j] = j < width ? column_scale[n + j] : 0;
#pragma unroll
  for (int i = 0; i < kFours; ++i) {
    const int64_t m = m0 + row + i * kDown;
    if (m >= M) return;
    bfloat16* to = y + m * N + n;
    alignas(8) __nv_bfloat16 four[4];
    for (int j = 0; j < 4; ++j) four[j] = __float2bfloat16_rn(sum[i][j] * scale[j]);
    if (width == 4 && N % 4 == 0) *reinterpret_cast<uint2*>(to) = *reinterpret_cast<const uint2*>(four);
    else
      for (int j = 0; j < width; ++j) to[j] = four[j];
  }
}
