// SPDX-License-Identifier: Apache-2.0
// The product first, then bias and activation in place.
#include "blocks/vector_math.h"

#include "blocks/product.h"
#include "kernel.h"

namespace {

float tail(float z) { return z + 2.0f / (1.0f + blocks::exp(-z)); }

}  // namespace

extern "C" void gemm_sigmoid_scaling_residual_add(const float* x, const float* w, const float* b, float* y, int64_t M, int64_t K, int64_t N) {
  blocks::product(M, N, K, blocks::row_major(x, K), blocks::transposed(w, K), y, N);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m)
    for (int64_t n = 0; n < N; ++n) y[m * N + n] = tail(y[m * N + n] + b[n]);
}
