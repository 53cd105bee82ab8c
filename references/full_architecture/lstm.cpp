// SPDX-License-Identifier: Apache-2.0
// Six layers, then a linear layer of the last step.
#include "blocks/recurrent.h"

#include "kernel.h"

extern "C" void lstm(const float* x, const float* w, const float* v, const float* r, const float* b, const float* hidden, const float* cell,
                     const float* head, const float* bias, float* y, int64_t B, int64_t T, int64_t I, int64_t H, int64_t K) {
  std::vector<float> states(hidden, hidden + 6 * B * H), cells(cell, cell + 6 * B * H);
  const std::vector<float> out = blocks::lstm_layers(6, 1, x, w, v, r, b, states.data(), cells.data(), B, T, I, H);
  for (int64_t n = 0; n < B; ++n) std::copy_n(bias, K, y + n * K);
  blocks::product(B, K, H, {&out[(T - 1) * H], T * H, 1}, blocks::transposed(head, H), y, K, true);
}
