// SPDX-License-Identifier: Apache-2.0
// The product first, then bias and activation in place.
#include "blocks/vector_math.h"

#include "blocks/product.h"
#include "kernel.h"

extern "C" void tanh_linear(const float* x, const float* w, const float* b, float* y, int64_t M, int64_t K, int64_t N) {
  blocks::product(M, N, K, blocks::row_major(x, K), blocks::transposed(w, K), y, N);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m)
    for (int64_t n = 0; n < N; ++n) y[m * N + n] = blocks::tanh(y[m * N + n] + b[n]);
}
