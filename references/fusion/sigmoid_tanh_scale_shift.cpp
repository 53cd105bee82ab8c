// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include <algorithm>

#include "kernel.h"

namespace {

// sum[0, N) += row of a times b.
void add_row_product(const float* a, const float* b, int64_t K, int64_t N, float* sum) {
  for (int64_t k = 0; k < K; ++k)
    for (int64_t n = 0; n < N; ++n) sum[n] += a[k] * b[k * N + n];
}

}  // namespace

void sigmoid_tanh_scale_shift(const float* x, const float* w, const float* scale, const float* bias, float* y, int64_t M, int64_t K,
                              int64_t N) {
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) {
    float* row = y + m * N;
    std::fill_n(row, N, 0.0f);
    add_row_product(x + m * K, w, K, N, row);
    for (int64_t n = 0; n < N; ++n) row[n] = blocks::tanh(1 / (1 + blocks::exp(-row[n]))) * scale[n] + bias[n];
  }
}
