// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch packed: float[B * T * (3 * H * D)]
   scratch mixed: float[B * T * H * D]
   kernel layer grid [div_up(3 * H * D, 64), div_up(B * T, 64)] block [128]
     (x, w, b, packed, long(B * T), long(H * D), long(3 * H * D), long(0), long(3 * H * D))
   kernel attend_heads grid [B * H * div_up(D, 64), div_up(T, 64)] block [128] shared [9 * 64 * 72 * 2] (packed, mixed, T, H, D, W)
   kernel layer grid [div_up(H * D, 64), div_up(B * T, 64)] block [128] (mixed, u, c, y, long(B * T), long(H * D), long(H * D), long(0), long(H * D))
*/
#include "blocks/projected_attention.cuh"

extern "C" __global__ void __launch_bounds__(kAttending, 2)
    attend_heads(const float* __restrict__ packed, float* __restrict__ mixed, long long T, long long H, long long D, long long W) {
  attend_packed(packed, mixed, T, H, 1, D, [=](long long t) -> Seen { return {max(t - W, 0ll), min(t + W, T)}; });
}
