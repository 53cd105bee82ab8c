// SPDX-License-Identifier: Apache-2.0
// Layer after layer and step after step; sequences are independent of each other. A step adds the columns of the transposed weights.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

std::vector<float> transposed(const float* w, int64_t rows, int64_t columns) {
  std::vector<float> result(rows * columns);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) result[j * rows + i] = w[i * columns + j];
  return result;
}

void add_product(const std::vector<float>& columns, const float* x, int64_t inputs, int64_t outputs, float* sum) {
  for (int64_t j = 0; j < inputs; ++j)
#pragma omp simd
    for (int64_t i = 0; i < outputs; ++i) sum[i] += x[j] * columns[j * outputs + i];
}

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

// One direction of a layer: `state` becomes the last one. x is [T, B, inputs]; a step's hidden state lies `stride` behind that of the
// sequence before it.
void run(const float* x, const float* w, const float* r, const float* b, float* hidden, float* y, int64_t T, int64_t B, int64_t inputs,
         int64_t H, int64_t stride, bool reverse) {
  const std::vector<float> input_columns = transposed(w, 3 * H, inputs), hidden_columns = transposed(r, 3 * H, H);
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < B; ++n) {
    std::vector<float> read(3 * H), kept(3 * H);
    float* state = hidden + n * H;
    for (int64_t step = 0; step < T; ++step) {
      const int64_t t = reverse ? T - 1 - step : step;
      std::copy_n(b, 3 * H, read.data());
      std::copy_n(b + 3 * H, 3 * H, kept.data());
      add_product(input_columns, x + (t * B + n) * inputs, inputs, 3 * H, read.data());
      add_product(hidden_columns, state, H, 3 * H, kept.data());
      for (int64_t i = 0; i < H; ++i) {
        const float update = sigmoid(read[i] + kept[i]), reset = sigmoid(read[H + i] + kept[H + i]);
        const float fresh = std::tanh(read[2 * H + i] + reset * kept[2 * H + i]);
        state[i] = (1 - update) * fresh + update * state[i];
      }
      std::copy_n(state, H, y + (t * B + n) * stride);
    }
  }
}

}  // namespace

extern "C" void gru_bidirectional_hidden(const float* x, const float* w, const float* v, const float* r, const float* b,
                                         const float* hidden, float* y, int64_t T, int64_t B, int64_t I, int64_t H) {
  std::copy_n(hidden, 12 * B * H, y);
  float* states = y;
  std::vector<float> in(x, x + T * B * I);
  int64_t inputs = I;
  for (int64_t layer = 0; layer < 6; ++layer) {
    std::vector<float> out(T * B * 2 * H);
    for (int64_t direction = 0; direction < 2; ++direction) {
      const int64_t at = 2 * layer + direction;
      const float* weights = layer == 0 ? w + direction * 3 * H * I : v + (at - 2) * 3 * H * 2 * H;
      run(in.data(), weights, r + at * 3 * H * H, b + at * 6 * H, states + at * B * H, out.data() + direction * H, T, B, inputs, H, 2 * H,
          direction == 1);
    }
    in = std::move(out);
    inputs = 2 * H;
  }
}
