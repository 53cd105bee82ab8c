// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel add_up grid [B * M, div_up(H, 32)] block [256] (dt, bias, rate, step, a, M, C, H)
*/
// A block has 32 heads of a chunk. Tiles of 32 steps pass through shared memory, as heads lie together in what is read and steps in what is
// written; a warp adds up the steps of four heads.
#include <stdint.h>

// exp of what is not above 0 does not overflow. NaN stays.
__device__ float softplus(float x) { return (x < 0 ? 0 : x) + log1pf(expf(-fabsf(x))); }
__device__ float bounded(float x) { return x < 0.001f ? 0.001f : x > 4 ? 4 : x; }

extern "C" __global__ void add_up(const float* __restrict__ dt, const float* __restrict__ bias, const float* __restrict__ rate,
                                  float* __restrict__ step, float* __restrict__ a, int64_t M, int64_t C, int64_t H) {
  __shared__ float tile[32][33];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int64_t chunk = blockIdx.x, b = chunk / M, m = chunk % M, h0 = blockIdx.y * 32ll;
  float before[4] = {};
  for (int64_t c0 = 0; c0 < C; c0 += 32) {
    __syncthreads();
    for (int i = warp; i < 32; i += 8)
      if (c0 + i < C && h0 + lane < H)
        tile[i][lane] = bounded(softplus(dt[(chunk * C + c0 + i) * H + h0 + lane] + bias[h0 + lane]));
    __syncthreads();
    for (int j = 0; j < 4; ++j) {
      const int row = warp + j * 8;
      const int64_t h = h0 + row, at = ((b * H + h) * M + m) * C + c0 + lane;
      const bool exists = h < H && c0 + lane < C;
      const float value = exists ? tile[lane][row] : 0;
      float sum = exists ? value * rate[h] : 0;
      for (int d = 1; d < 32; d *= 2) {
        const float lower = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d) sum += lower;
      }
      sum += before[j];
      before[j] = __shfl_sync(0xffffffff, sum, 31);
      if (!exists) continue;
      step[at] = value;
      a[at] = sum;
    }
  }
}
