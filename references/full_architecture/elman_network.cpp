// SPDX-License-Identifier: Apache-2.0
// Sequences are independent of each other. For each, a step adds the columns of the transposed weights.
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

}  // namespace

void elman_network(const float* x, const float* w, const float* r, const float* b, const float* hidden, float* y, int64_t T, int64_t B,
                   int64_t I, int64_t H) {
  const std::vector<float> input_columns = transposed(w, H, I), hidden_columns = transposed(r, H, H);
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < B; ++n) {
    std::vector<float> sum(H);
    const float* state = hidden + n * H;
    for (int64_t t = 0; t < T; ++t) {
      for (int64_t i = 0; i < H; ++i) sum[i] = b[i] + b[H + i];
      add_product(input_columns, x + (t * B + n) * I, I, H, sum.data());
      add_product(hidden_columns, state, H, H, sum.data());
      float* next = y + (t * B + n) * H;
      for (int64_t i = 0; i < H; ++i) next[i] = std::tanh(sum[i]);
      state = next;
    }
  }
}
