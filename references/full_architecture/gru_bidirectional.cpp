// SPDX-License-Identifier: Apache-2.0
// Six layers of two directions.
#include "blocks/recurrent.h"

#include "kernel.h"

extern "C" void gru_bidirectional(const float* x, const float* w, const float* v, const float* r, const float* b, const float* hidden,
                                  float* y, int64_t T, int64_t B, int64_t I, int64_t H) {
  std::vector<float> states(hidden, hidden + 12 * B * H);
  const std::vector<float> out = blocks::gru_layers(6, 2, x, w, v, r, b, states.data(), T, B, I, H);
  std::copy(out.begin(), out.end(), y);
}
