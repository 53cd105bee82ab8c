// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

#include "blocks/bfloat16.h"

void rotary_interleaved_bfloat16(const bfloat16* x, const bfloat16* cosines, const bfloat16* sines, bfloat16* y, int64_t T, int64_t H,
                                 int64_t E) {
#pragma omp parallel for schedule(static)
  for (int64_t t = 0; t < T; ++t) {
    const bfloat16 *cos = cosines + t * 2 * E, *sin = sines + t * 2 * E;
    for (int64_t head = t * H; head < (t + 1) * H; ++head) {
      const bfloat16* pairs = x + head * 2 * E;
      bfloat16* to = y + head * 2 * E;
#pragma omp simd
      for (int64_t e = 0; e < E; ++e) {
        const float first = blocks::load(pairs[2 * e]), second = blocks::load(pairs[2 * e + 1]);
        blocks::store(first * blocks::load(cos[e]) - second * blocks::load(sin[e]), to[e]);
        blocks::store(second * blocks::load(cos[E + e]) + first * blocks::load(sin[E + e]), to[E + e]);
      }
    }
  }
}
