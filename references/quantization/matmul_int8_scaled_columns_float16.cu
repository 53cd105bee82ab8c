// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply grid [div_up(N, 128), div_up(M, 128)] block [256] shared [4 * 128 * 132] (a, b, scale, bias, y, M, K, N)
*/
#include "blocks/int8_product.cuh"
#include "kernel.h"

constexpr int kTile = 128;

extern "C" __global__ void __launch_bounds__(kThreads)
    multiply(const int8_t* __restrict__ a, const int8_t* __restrict__ b, const float* __restrict__ scale, const int32_t* __restrict__ bias,
             float16* __restrict__ y, int64_t M, int64_t K, int64_t N) {
  constexpr int kPitch = Int8Tile<kTile, kTile>::kPitch;
  const int64_t m0 = blockIdx.y * (int64_t)kTile, n0 = blockIdx.x * (int64_t)kTile;
  const int* whole = multiply_int8<kTile, kTile>(a, b, m0, n0, M, K, N);
  for (int e = threadIdx.x; e < kTile * kTile / 2; e += kThreads) {
    const int row = e / (kTile / 2), column = e % (kTile / 2) * 2;
    const int64_t m = m0 + row, n = n0 + column;
    if (m >= M || n >= N) continue;
    const int2 sums = *reinterpret_cast<const int2*>(whole + row * kPitch + column);
    const float first = (float)(sums.x + bias[n]) * scale[n];
    float16* to = y + m * N + n;
    if (N % 2 == 0) {
      *reinterpret_cast<__half2*>(to) = __floats2half2_rn(first, (float)(sums.y + bias[n + 1]) * scale[n + 1]);
    } else {
      to[0] = __float2half_rn(first);
      if (n + 1 < N) to[1] = __float2half_rn((float)(sums.y + bias[n + 1]) * scale[n + 1]);
    }
  }
}
