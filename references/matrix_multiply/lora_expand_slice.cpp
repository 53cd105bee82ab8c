// SPDX-License-Identifier: Apache-2.0
// An adapter at a time: its rows are converted once, and the tokens that name it share one product.
#include "blocks/product.h"

#include "kernel.h"

#include "blocks/float16.h"

extern "C" void lora_expand_slice(const float* x, const float16* b, const int64_t* adapters, float* y, int64_t T, int64_t R, int64_t L,
                                  int64_t N, int64_t P, int64_t Q) {
  std::vector<float> weights(N * R), rows(T * R), products(T * N);
  for (int64_t adapter = 0; adapter < L; ++adapter) {
    std::vector<int64_t> tokens;
    for (int64_t t = 0; t < T; ++t)
      if (adapters[t] == adapter) {
        std::copy_n(x + t * R, R, &rows[tokens.size() * R]);
        tokens.push_back(t);
      }
    if (tokens.empty()) continue;
    const int64_t count = static_cast<int64_t>(tokens.size());
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < N * R; ++i) weights[i] = blocks::load(b[adapter * N * R + i]);
    blocks::product(count, N, R, blocks::row_major(rows.data(), R), blocks::transposed(weights.data(), R), products.data(), N);
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < count; ++i)
      for (int64_t n = 0; n < N; ++n) y[tokens[i] * (P + N + Q) + P + n] += products[i * N + n];
  }
}
