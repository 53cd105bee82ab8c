// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel attend_groups grid [B * G * div_up(D, 64), div_up(R * N, 64)] block [128] shared [6 * 64 * 72 * 2] (q, k, v, o, long(R * N), S, D)
*/
// The queries of all heads that share keys are one matrix.
#include "blocks/attention.cuh"
#include "kernel.h"

extern "C" __global__ void __launch_bounds__(kAttending, 2)
    attend_groups(const float16* __restrict__ q, const float16* __restrict__ k, const float16* __restrict__ v, float16* __restrict__ o,
                  long long queries, long long S, long long D) {
  const long long group = head_of_block(D), at = group * queries * D, at_keys = group * S * D;
  attend(Head{q + at, D}, Head{k + at_keys, D}, Head{v + at_keys, D}, Head{o + at, D}, queries, D, SeesAll{S});
}
