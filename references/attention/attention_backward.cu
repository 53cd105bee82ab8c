// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch weights: float[H * N * S]
   scratch slopes: float[H * N * S]
   kernel multiply_features grid [H * div_up(N, 64) * div_up(S, 64)] block [128] (q, k, weights, N, S, D)
   kernel multiply_features grid [H * div_up(N, 64) * div_up(S, 64)] block [128] (dy, v, slopes, N, S, D)
   kernel bend              grid [H * N] block [256] (weights, slopes, N, S, D)
   kernel sum_queries       grid [H * div_up(S, 64) * div_up(D, 64)] block [256] (weights, dy, dv, N, S, D)
   kernel sum_queries       grid [H * div_up(S, 64) * div_up(D, 64)] block [256] (slopes, q, dk, N, S, D)
   kernel sum_keys          grid [H * div_up(N, 64) * div_up(D, 64)] block [256] (slopes, k, dq, N, S, D)
*/
#include "blocks/attention_backward.cuh"

extern "C" __global__ void __launch_bounds__(kGroup, 4)
    multiply_features(const float* __restrict__ left, const float* __restrict__ right, float* __restrict__ to, long long N, long long S,
                      long long D) {
  multiply_heads<false>(left, right, to, N, S, D);
}

extern "C" __global__ void __launch_bounds__(kSoftening)
    bend(float* __restrict__ weights, float* __restrict__ slopes, long long N, long long S, long long D) {
  bend_rows<false>(weights, slopes, N, S, D);
}

extern "C" __global__ void __launch_bounds__(2 * kGroup, 2)
    sum_queries(const float* __restrict__ matrices, const float* __restrict__ rows, float* __restrict__ to, long long N, long long S,
                long long D) {
  multiply_turned<false>(matrices, rows, to, N, S, D);
}

extern "C" __global__ void __launch_bounds__(2 * kGroup, 2)
    sum_keys(const float* __restrict__ matrices, const float* __restrict__ rows, float* __restrict__ to, long long N, long long S, long long D) {
  multiply_straight<false>(matrices, rows, to, N, S, D);
}
