// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch weights: float[H * N * N]
   scratch slopes: float[H * N * N]
   kernel multiply_features grid [H * div_up(N, 64) * div_up(N, 64)] block [128] (q, k, weights, N, N, D)
   kernel multiply_features grid [H * div_up(N, 64) * div_up(N, 64)] block [128] (dy, v, slopes, N, N, D)
   kernel bend              grid [H * N] block [256] (weights, slopes, N, N, D)
   kernel sum_queries       grid [H * div_up(N, 64) * div_up(D, 64)] block [256] (weights, dy, dv, N, N, D)
   kernel sum_queries       grid [H * div_up(N, 64) * div_up(D, 64)] block [256] (slopes, q, dk, N, N, D)
   kernel sum_keys          grid [H * div_up(N, 64) * div_up(D, 64)] block [256] (slopes, k, dq, N, N, D)
*/
#include "blocks/attention_backward.cuh"

extern "C" __global__ void __launch_bounds__(kGroup, 4)
    multiply_features(const float* __restrict__ left, const float* __restrict__ right, float* __restrict__ to, long long N, long long S,
                      long long D) {
  multiply_heads<true>(left, right, to, N, S, D);
}

extern "C" __global__ void __launch_bounds__(kSoftening)
    bend(float* __restrict__ weights, float* __restrict__ slopes, long long N, long long S, long long D) {
  bend_rows<true>(weights, slopes, N, S, D);
}

extern "C" __global__ void __launch_bounds__(2 * kGroup, 2)
    sum_queries(const float* __restrict__ matrices, const float* __restrict__ rows, float* __restrict__ to, long long N, long long S,
                long long D) {
  multiply_turned<true>(matrices, rows, to, N, S, D);
}

extern "C" __global__ void __launch_bounds__(2 * kGroup, 2)
    sum_keys(const float* __restrict__ matrices, const float* __restrict__ rows, float* __restrict__ to, long long N, long long S, long long D) {
  multiply_straight<true>(matrices, rows, to, N, S, D);
}
