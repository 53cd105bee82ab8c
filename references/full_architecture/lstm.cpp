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

// One direction of a layer: `hidden` and `cell` become the last ones. x is [T, B, inputs]; a step's hidden state lies `stride` behind that
// of the sequence before it.
void run(const float* x, const float* w, const float* r, const float* b, float* hidden, float* cells, float* y, int64_t T, int64_t B,
         int64_t inputs, int64_t H, int64_t stride, bool reverse) {
  const std::vector<float> input_columns = transposed(w, 4 * H, inputs), hidden_columns = transposed(r, 4 * H, H);
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < B; ++n) {
    std::vector<float> gates(4 * H);
    float *state = hidden + n * H, *cell = cells + n * H;
    for (int64_t step = 0; step < T; ++step) {
      const int64_t t = reverse ? T - 1 - step : step;
      for (int64_t i = 0; i < 4 * H; ++i) gates[i] = b[i] + b[4 * H + i];
      add_product(input_columns, x + (t * B + n) * inputs, inputs, 4 * H, gates.data());
      add_product(hidden_columns, state, H, 4 * H, gates.data());
      const float *input = gates.data(), *output = input + H, *forget = output + H, *fresh = forget + H;
      for (int64_t i = 0; i < H; ++i) {
        cell[i] = sigmoid(forget[i]) * cell[i] + sigmoid(input[i]) * std::tanh(fresh[i]);
        state[i] = sigmoid(output[i]) * std::tanh(cell[i]);
      }
      std::copy_n(state, H, y + (t * B + n) * stride);
    }
  }
}

}  // namespace

extern "C" void lstm(const float* x, const float* w, const float* v, const float* r, const float* b, const float* hidden, const float* cell,
                     const float* head, const float* bias, float* y, int64_t B, int64_t T, int64_t I, int64_t H, int64_t K) {
  std::vector<float> last(hidden, hidden + 6 * B * H);
  float* states = last.data();
  std::vector<float> last_cells(cell, cell + 6 * B * H);
  float* cells = last_cells.data();
  std::vector<float> in(T * B * I);  // steps first
  for (int64_t n = 0; n < B; ++n)
    for (int64_t t = 0; t < T; ++t) std::copy_n(x + (n * T + t) * I, I, &in[(t * B + n) * I]);
  int64_t inputs = I;
  for (int64_t layer = 0; layer < 6; ++layer) {
    std::vector<float> out(T * B * H);
    const int64_t at = layer;
    const float* weights = layer == 0 ? w : v + (layer - 1) * 4 * H * H;
    run(in.data(), weights, r + at * 4 * H * H, b + at * 8 * H, states + at * B * H, cells + at * B * H, out.data(), T, B, inputs, H, H,
        false);
    in = std::move(out);
    inputs = H;
  }
  for (int64_t n = 0; n < B; ++n)
    for (int64_t k = 0; k < K; ++k) {
      const float* features = &in[((T - 1) * B + n) * inputs];
      float sum = bias[k];
      for (int64_t i = 0; i < inputs; ++i) sum += features[i] * head[k * inputs + i];
      y[n * K + k] = sum;
    }
}
