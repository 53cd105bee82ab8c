// SPDX-License-Identifier: Apache-2.0
// Six layers of two directions, then a linear layer of the last step.
#include "blocks/recurrent.h"

#include "kernel.h"

extern "C" void lstm_bidirectional(const float* x, const float* w, const float* v, const float* r, const float* b, const float* hidden,
                                   const float* cell, const float* head, const float* bias, float* y, int64_t B, int64_t T, int64_t I,
                                   int64_t H, int64_t K) {
  const int64_t width = 2 * H;
  std::vector<float> states(hidden, hidden + 12 * B * H), cells(cell, cell + 12 * B * H);
  const std::vector<float> out = blocks::lstm_layers(6, 2, x, w, v, r, b, states.data(), cells.data(), B, T, I, H);
  for (int64_t n = 0; n < B; ++n) std::copy_n(bias, K, y + n * K);
  blocks::product(B, K, width, {&out[(T - 1) * width], T * width, 1}, blocks::transposed(head, width), y, K, true);
}
