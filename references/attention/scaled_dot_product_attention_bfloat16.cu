// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel attend_heads grid [B * H * div_up(D, 64), div_up(N, 64)] block [128] shared [6 * 64 * 72 * 2] (q, k, v, o, N, D)
*/
#include "blocks/attention.cuh"
#include "kernel.h"

extern "C" __global__ void __launch_bounds__(kAttending, 2)
    attend_heads(const bfloat16* __restrict__ q, const bfloat16* __restrict__ k, const bfloat16* __restrict__ v, bfloat16* __restrict__ o,
                 long long N, long long D) {
  const long long at = head_of_block(D) * N * D;
  attend(Head{q + at, D}, Head{k + at, D}, Head{v + at, D}, Head{o + at, D}, N, D, SeesAll{N});
}
