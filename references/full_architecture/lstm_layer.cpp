// SPDX-License-Identifier: Apache-2.0
// Sequences are independent of each other. For each, a step adds the columns of the transposed weights.
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
    for (int64_t i = 0; i < outputs; ++i) sum[i] += x[j] * columns[j * outputs + i];
}

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

void lstm_layer(const float* x, const float* w, const float* r, const float* b, float* y, float* last_hidden, float* last_cell, int64_t T,
                int64_t B, int64_t I, int64_t H) {
  const std::vector<float> input_columns = transposed(w, 4 * H, I), hidden_columns = transposed(r, 4 * H, H);
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < B; ++n) {
    std::vector<float> gates(4 * H);
    float *hidden = last_hidden + n * H, *cell = last_cell + n * H;
    std::fill_n(hidden, H, 0.0f);
    std::fill_n(cell, H, 0.0f);
    for (int64_t t = 0; t < T; ++t) {
      for (int64_t i = 0; i < 4 * H; ++i) gates[i] = b[i] + b[4 * H + i];
      add_product(input_columns, x + (t * B + n) * I, I, 4 * H, gates.data());
      add_product(hidden_columns, hidden, H, 4 * H, gates.data());
      const float *input = gates.data(), *output = input + H, *forget = output + H, *fresh = forget + H;
      for (int64_t i = 0; i < H; ++i) {
        cell[i] = sigmoid(forget[i]) * cell[i] + sigmoid(input[i]) * std::tanh(fresh[i]);
        hidden[i] = sigmoid(output[i]) * std::tanh(cell[i]);
      }
      std::copy_n(hidden, H, y + (t * B + n) * H);
    }
  }
}
