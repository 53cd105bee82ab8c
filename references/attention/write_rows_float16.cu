// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel write grid [T * min(1, (H * D) / 2048) + div_up(T * (H * D), 2048) * (1 - min(1, (H * D) / 2048)), min(max(1, (H * D) / 2048), 65535)] block [256]
       (x, places, cache, T, long((H * D)))
*/
#include "blocks/write_rows.cuh"

extern "C" __global__ void write(const float16* __restrict__ x, const int64_t* __restrict__ places, float16* __restrict__ cache,
                                 int64_t T, int64_t size) {
  write_rows(x, places, cache, T, size);
}
