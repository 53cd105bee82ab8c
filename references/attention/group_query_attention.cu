// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch packed: float[B * T * (G * R * D + 2 * G * D)]
   scratch mixed: float[B * T * G * R * D]
   kernel layer grid [div_up(G * R * D + 2 * G * D, 64), div_up(B * T, 64)] block [128]
     (x, w, b, packed, long(B * T), long(G * R * D), long(G * R * D + 2 * G * D), long(0), long(G * R * D + 2 * G * D))
   kernel attend_heads grid [B * G * R * div_up(D, 64), div_up(T, 64)] block [128] shared [9 * 64 * 72 * 2] (packed, mixed, T, G, R, D)
   kernel layer grid [div_up(G * R * D, 64), div_up(B * T, 64)] block [128]
     (mixed, u, c, y, long(B * T), long(G * R * D), long(G * R * D), long(0), long(G * R * D))
*/
#include "blocks/projected_attention.cuh"

extern "C" __global__ void __launch_bounds__(kAttending, 2)
    attend_heads(const float* __restrict__ packed, float* __restrict__ mixed, long long T, long long G, long long R, long long D) {
  attend_packed(packed, mixed, T, G * R, R, D, SeesAll{T});
}
