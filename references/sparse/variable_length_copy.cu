// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel copy grid [div_up(B, 8)] block [256] (old_starts, lengths, source, new_starts, target, B)
*/
// A warp copies a segment, of which a thread has up to two numbers.
#include <stdint.h>

extern "C" __global__ void copy(const int64_t* __restrict__ old_starts, const int64_t* __restrict__ lengths,
                                const float* __restrict__ source, const int64_t* __restrict__ new_starts, float* __restrict__ target,
                                int64_t B) {
  const int64_t b = blockIdx.x * 8ll + threadIdx.x / 32;
  if (b >= B) return;
  const int64_t from = old_starts[b], to = new_starts[b], length = lengths[b];
#pragma unroll
  for (int i = threadIdx.x % 32; i < 64; i += 32)
    if (i < length) target[to + i] = source[from + i];
}
