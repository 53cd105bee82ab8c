// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel attend_heads grid [B * H * div_up(D, 64), div_up(N, 64)] block [128] shared [9 * 64 * 72 * 2] (q, k, v, sinks, o, H, N, D)
*/
#include "blocks/attention.cuh"

extern "C" __global__ void __launch_bounds__(kAttending, 2)
    attend_heads(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v, const float* __restrict__ sinks,
                 float* __restrict__ o, long long H, long long N, long long D) {
  const long long head = head_of_block(D), at = head * N * D;
  attend(Head{q + at, D}, Head{k + at, D}, Head{v + at, D}, Head{o + at, D}, N, D, SeesPast{}, AsItIs{}, sinks[head % H]);
}
