// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch queries: float[B * T * H * D]
   scratch packed: float[B * S * 2 * H * D]
   scratch mixed: float[B * T * H * D]
   kernel layer grid [div_up(H * D, 64), div_up(B * T, 64)] block [128]
     (x, w, b, queries, long(B * T), long(H * D), long(H * D), long(0), long(3 * H * D))
   kernel layer grid [div_up(2 * H * D, 64), div_up(B * S, 64)] block [128]
     (z, w, b, packed, long(B * S), long(H * D), long(2 * H * D), long(H * D), long(3 * H * D))
   kernel attend_heads grid [B * H * div_up(D, 64), div_up(T, 64)] block [128] shared [9 * 64 * 72 * 2] (queries, packed, mixed, T, H, D, S)
   kernel layer grid [div_up(H * D, 64), div_up(B * T, 64)] block [128] (mixed, u, c, y, long(B * T), long(H * D), long(H * D), long(0), long(H * D))
*/
#include "blocks/projected_attention.cuh"

extern "C" __global__ void __launch_bounds__(kAttending, 2)
    attend_heads(const float* __restrict__ queries, const float* __restrict__ packed, float* __restrict__ mixed, long long T, long long H,
                 long long D, long long S) {
  const long long head = head_of_block(D), sequence = head / H, width = H * D;
  const long long at = sequence * T * width + head % H * D;
  const float* k = packed + sequence * S * 2 * width + head % H * D;
  attend(Head{queries + at, width}, Head{k, 2 * width}, Head{k + width, 2 * width}, Head{mixed + at, width}, T, D, SeesAll{S});
}
