// SPDX-License-Identifier: Apache-2.0
// Six layers.
#include "blocks/recurrent.h"

#include "kernel.h"

extern "C" void gru(const float* x, const float* w, const float* v, const float* r, const float* b, const float* hidden, float* y,
                    int64_t T, int64_t B, int64_t I, int64_t H) {
  std::vector<float> states(hidden, hidden + 6 * B * H);
  const std::vector<float> out = blocks::gru_layers(6, 1, x, w, v, r, b, states.data(), T, B, I, H);
  std::copy(out.begin(), out.end(), y);
}
