// SPDX-License-Identifier: Apache-2.0
// One product gives what all steps take of the input, another one all outputs; the steps lie between them.
#include "blocks/recurrent.h"

#include "kernel.h"

extern "C" void vanilla_rnn_hidden(const float* x, const float* h0, const float* w, const float* b, const float* head, const float* b_head,
                                   float* y, int64_t T, int64_t B, int64_t I, int64_t H, int64_t O) {
  std::vector<float> h(T * B * H);
  for (int64_t row = 0; row < T * B; ++row) std::copy_n(b, H, &h[row * H]);
  blocks::product(T * B, H, I, blocks::row_major(x, I), blocks::transposed(w, I + H), h.data(), H, true);
  blocks::elman_steps(w + I, I + H, h0, h.data(), T, B, H);
  for (int64_t row = 0; row < T * B; ++row) std::copy_n(b_head, O, y + row * O);
  blocks::product(T * B, O, H, blocks::row_major(h.data(), H), blocks::transposed(head, H), y, O, true);
}
