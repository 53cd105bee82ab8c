// SPDX-License-Identifier: Apache-2.0
// The gates are where their sums grow: first what all steps take of the input, then step by step what they take of the state.
#include "blocks/recurrent.h"

#include "kernel.h"

extern "C" void lstm_with_gates(const float* x, const float* w, const float* r, const float* b, const float* hidden, const float* cell,
                                float* y, float* last_hidden, float* last_cell, float* gates, int64_t T, int64_t B, int64_t I, int64_t H) {
  for (int64_t row = 0; row < T * B; ++row) std::copy_n(b, 4 * H, gates + row * 4 * H);
  blocks::product(T * B, 4 * H, I, blocks::row_major(x, I), blocks::transposed(w, I), gates, 4 * H, true);
  const std::vector<blocks::PanelRow> panels = blocks::packed(r, H, H, 4 * H);
  std::copy_n(hidden, B * H, last_hidden);
  std::copy_n(cell, B * H, last_cell);
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < B; first += blocks::kTogether) {
    const int64_t count = std::min<int64_t>(blocks::kTogether, B - first);
    for (int64_t t = 0; t < T; ++t) {
      const int64_t row = t * B + first;
      blocks::add_product(panels.data(), last_hidden + first * H, count, H, 4 * H, gates + row * 4 * H, 4 * H);
      for (int64_t n = 0; n < count; ++n) {
        float *input = gates + (row + n) * 4 * H, *output = input + H, *forget = output + H, *fresh = forget + H;
        float *state = last_hidden + (first + n) * H, *kept = last_cell + (first + n) * H, *out = y + (row + n) * H;
        for (int64_t i = 0; i < 3 * H; ++i) input[i] = blocks::sigmoid(input[i]);
        for (int64_t i = 0; i < H; ++i) fresh[i] = blocks::tanh(fresh[i]);
#pragma omp simd
        for (int64_t i = 0; i < H; ++i) {
          kept[i] = forget[i] * kept[i] + input[i] * fresh[i];
          out[i] = state[i] = output[i] * blocks::tanh(kept[i]);
        }
      }
    }
  }
}
