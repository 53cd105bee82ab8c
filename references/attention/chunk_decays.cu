// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel scale grid [B * H * M, div_up(K, 64)] block [64] (g, q, k, a, faded_q, faded_k, C, K)
*/
// A thread has a channel of a chunk. The running sums are worked out twice: the sum of all must be known before keys fade.
#include <stdint.h>

extern "C" __global__ void scale(const float* __restrict__ g, const float* __restrict__ q, const float* __restrict__ k,
                                 float* __restrict__ a, float* __restrict__ faded_q, float* __restrict__ faded_k, int64_t C, int64_t K) {
  const int64_t c = blockIdx.y * 64ll + threadIdx.x, first = blockIdx.x * C * K + c;
  if (c >= K) return;
  const float root = sqrtf((float)K);
  float all = 0, sum = 0;
#pragma unroll 8
  for (int64_t i = 0; i < C; ++i) all += g[first + i * K];
#pragma unroll 8
  for (int64_t i = 0; i < C; ++i) {
    const int64_t at = first + i * K;
    sum += g[at];
    a[at] = sum * 1.4426950408889634f;
    faded_q[at] = q[at] * expf(sum) / root;
    faded_k[at] = k[at] * expf(all - sum);
  }
}
