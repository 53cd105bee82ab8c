// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"
#include "blocks/product.h"

#include "kernel.h"

void sigmoid_tanh_scale_shift(const float* x, const float* w, const float* scale, const float* bias, float* y,
                              int64_t M, int64_t K, int64_t N) {
  blocks::product(M, N, K, blocks::row_major(x, K), blocks::row_major(w, N), y, N);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) {
    float* row = y + m * N;
    for (int64_t n = 0; n < N; ++n) row[n] = blocks::tanh(1 / (1 + blocks::exp(-row[n]))) * scale[n] + bias[n];
  }
}
