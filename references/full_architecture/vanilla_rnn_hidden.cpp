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

void add_product(const float* columns, const float* x, int64_t inputs, int64_t outputs, float* sum) {
  for (int64_t j = 0; j < inputs; ++j)
#pragma omp simd
    for (int64_t i = 0; i < outputs; ++i) sum[i] += x[j] * columns[j * outputs + i];
}

}  // namespace

extern "C" void vanilla_rnn_hidden(const float* x, const float* h0, const float* w, const float* b, const float* head, const float* b_head,
                                   float* y, int64_t T, int64_t B, int64_t I, int64_t H, int64_t O) {
  const std::vector<float> columns = transposed(w, H, I + H), head_columns = transposed(head, O, H);
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < B; ++n) {
    std::vector<float> state(h0 + n * H, h0 + n * H + H), sum(H);
    for (int64_t t = 0; t < T; ++t) {
      std::copy_n(b, H, sum.data());
      add_product(columns.data(), x + (t * B + n) * I, I, H, sum.data());
      add_product(columns.data() + I * H, state.data(), H, H, sum.data());
      for (int64_t i = 0; i < H; ++i) state[i] = std::tanh(sum[i]);
      float* out = y + (t * B + n) * O;
      std::copy_n(b_head, O, out);
      add_product(head_columns.data(), state.data(), H, O, out);
    }
  }
}
