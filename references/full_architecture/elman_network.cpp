// SPDX-License-Identifier: Apache-2.0
// One product gives what all steps take of the input, then the steps follow.
#include "blocks/recurrent.h"

#include "kernel.h"

void elman_network(const float* x, const float* w, const float* r, const float* b, const float* hidden, float* y, int64_t T, int64_t B,
                   int64_t I, int64_t H) {
  for (int64_t row = 0; row < T * B; ++row)
    for (int64_t i = 0; i < H; ++i) y[row * H + i] = b[i] + b[H + i];
  blocks::product(T * B, H, I, blocks::row_major(x, I), blocks::transposed(w, I), y, H, true);
  blocks::elman_steps(r, H, hidden, y, T, B, H);
}
