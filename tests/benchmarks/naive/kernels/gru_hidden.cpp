// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "kernel.h"

static float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

void gru_hidden(const float* x, const float* w, const float* v, const float* r, const float* b, const float* hidden, float* y, int64_t T,
                int64_t B, int64_t I, int64_t H) {
  std::vector<float> input(x, x + T * B * I);
  int64_t width = I;
  for (int64_t layer = 0; layer < 6; ++layer) {
    const float* wl = layer == 0 ? w : v + (layer - 1) * 3 * H * H;
    const float* rl = r + layer * 3 * H * H;
    const float* bw = b + layer * 6 * H;
    const float* br = bw + 3 * H;
    std::vector<float> output(T * B * H);
    std::vector<float> state(hidden + layer * B * H, hidden + (layer + 1) * B * H);
    for (int64_t t = 0; t < T; ++t) {
#pragma omp parallel for
      for (int64_t n = 0; n < B; ++n) {
        for (int64_t h = 0; h < H; ++h) {
          float from_input[3];
          float from_state[3];
          for (int64_t gate = 0; gate < 3; ++gate) {
            int64_t row = gate * H + h;
            from_input[gate] = bw[row];
            for (int64_t i = 0; i < width; ++i) {
              from_input[gate] += input[(t * B + n) * width + i] * wl[row * width + i];
            }
            from_state[gate] = br[row];
            for (int64_t i = 0; i < H; ++i) from_state[gate] += state[n * H + i] * rl[row * H + i];
          }
          float update = sigmoid(from_input[0] + from_state[0]);
          float reset = sigmoid(from_input[1] + from_state[1]);
          float fresh = std::tanh(from_input[2] + reset * from_state[2]);
          output[(t * B + n) * H + h] = (1 - update) * fresh + update * state[n * H + h];
        }
      }
      for (int64_t i = 0; i < B * H; ++i) state[i] = output[t * B * H + i];
    }
    for (int64_t i = 0; i < B * H; ++i) y[layer * B * H + i] = state[i];
    input = output;
    width = H;
  }
}
