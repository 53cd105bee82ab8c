// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch z: float[M * N]
   kernel multiply grid [M / 64 + G, div_up(N, 64)] block [256] shared [3 * 64 * (64 + 128)] (x, w, x_scale, w_scale, offsets, z, K, G, N)
   kernel quantize grid [M] block [256] (z, q, scale, N)
*/
// A block has a tile of 64 rows of one group and 64 columns of gates, and the 64 columns of the values that they meet.
#include "blocks/groups.cuh"
#include "blocks/int8_product.cuh"
#include "blocks/int8_rows.cuh"

constexpr int kTile = 64;

extern "C" __global__ void __launch_bounds__(kThreads)
    multiply(const int8_t* __restrict__ x, const int8_t* __restrict__ w, const float* __restrict__ x_scale, const float* __restrict__ w_scale,
             const int64_t* __restrict__ offsets, float* __restrict__ z, int64_t K, int64_t G, int64_t N) {
  constexpr int kPitch = Int8Tile<kTile, 2 * kTile>::kPitch;
  const GroupTile tile(offsets, G, blockIdx.x, kTile);
  if (!tile.exists) return;
  const int64_t n0 = blockIdx.y * (int64_t)kTile;
  const int* whole = multiply_int8<kTile, 2 * kTile, 2>(x, w + tile.group * K * 2 * N, tile.first, n0, tile.end, K, N);
  const float *of_gates = w_scale + tile.group * 2 * N, *of_values = of_gates + N;
  for (int e = threadIdx.x; e < kTile * kTile; e += kThreads) {
    const int row = e / kTile, column = e % kTile;
    const int64_t m = tile.first + row, n = n0 + column;
    if (m >= tile.end || n >= N) continue;
    const float gate = (float)whole[row * kPitch + column] * of_gates[n] * x_scale[m];
    const float value = (float)whole[row * kPitch + kTile + column] * of_values[n] * x_scale[m];
    z[m * N + n] = gate / (1 + expf(-gate)) * value;  // where exp overflows the quotient is 0
  }
}

struct Given {
  const float* __restrict__ z;

  __device__ void get(int64_t u, float& v) const { v = z[u]; }
  __device__ void get(int64_t u, float4& v) const { v = reinterpret_cast<const float4*>(z)[u]; }
};

extern "C" __global__ void __launch_bounds__(kRowThreads)
    quantize(const float* __restrict__ z, int8_t* __restrict__ q, float* __restrict__ scale, int64_t N) {
  quantize_row(Given{z + blockIdx.x * N}, q, scale, N, 9.5367431640625e-07f);
}
