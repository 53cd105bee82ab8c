// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel penalise grid [R, min(div_up(T, 256 * R), 65535)] block [256]
                   (logits, presence, frequency, repetition, token_ids, counts, offsets, V)
*/
// Blocks of a row share its tokens, of which none occurs twice. Rows are as long as each other on the average.
#include <stdint.h>

extern "C" __global__ void penalise(float* __restrict__ logits, const float* __restrict__ presence, const float* __restrict__ frequency,
                                    const float* __restrict__ repetition, const int64_t* __restrict__ token_ids,
                                    const int64_t* __restrict__ counts, const int64_t* __restrict__ offsets, int64_t V) {
  const int64_t r = blockIdx.x, end = offsets[r + 1];
  const float once = presence[r], each = frequency[r], by = repetition[r];
  logits += r * V;
  for (int64_t t = offsets[r] + blockIdx.y * 256ll + threadIdx.x; t < end; t += gridDim.y * 256ll) {
    float* at = logits + token_ids[t];
    const float old = *at;
    *at = (old > 0 ? old / by : old * by) - (float)counts[t] * each - once;
  }
}
