// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel attend_heads grid [B * H * div_up(D, 64), div_up(N, 64)] block [128] shared [9 * 64 * 72 * 2] (q, k, v, o, H, N, D)
*/
#include "blocks/attention.cuh"

extern "C" __global__ void __launch_bounds__(kAttending, 2)
    attend_heads(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v, float* __restrict__ o, long long H,
                 long long N, long long D) {
  const long long head = head_of_block(D), at = head * N * D;
  const float slope = exp2f(-8.0f * (float)(head % H + 1) / (float)H);
  const auto biased = [slope](long long n, long long s, float score) { return score + slope * (float)(s - n); };
  attend(Head{q + at, D}, Head{k + at, D}, Head{v + at, D}, Head{o + at, D}, N, D, SeesPast{}, biased);
}
