// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch packed: float[B * T * (H * D + 2 * D)]
   scratch mixed: float[B * T * H * D]
   kernel layer grid [div_up(H * D + 2 * D, 64), div_up(B * T, 64)] block [128]
     (x, w, b, packed, long(B * T), long(H * D), long(H * D + 2 * D), long(0), long(H * D + 2 * D))
   kernel attend_heads grid [B * H * div_up(D, 64), div_up(T, 64)] block [128] shared [9 * 64 * 72 * 2] (packed, mixed, T, H, D)
   kernel layer grid [div_up(H * D, 64), div_up(B * T, 64)] block [128] (mixed, u, c, y, long(B * T), long(H * D), long(H * D), long(0), long(H * D))
*/
#include "blocks/projected_attention.cuh"

extern "C" __global__ void __launch_bounds__(kAttending, 2)
    attend_heads(const float* __restrict__ packed, float* __restrict__ mixed, long long T, long long H, long long D) {
  attend_packed(packed, mixed, T, H, H, D, SeesAll{T});
}
