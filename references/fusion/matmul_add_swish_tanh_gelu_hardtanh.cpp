// SPDX-License-Identifier: Apache-2.0
// The product first, then bias and activation in place.
#include "blocks/vector_math.h"

#include "blocks/product.h"
#include "kernel.h"

namespace {

float sigmoid(float z) { return 1 / (1 + blocks::exp(-z)); }

float gelu(float z) { return 0.5f * z * (1 + blocks::erf(z * 0.70710678f)); }

float tail(float z) { return gelu(blocks::tanh(z * sigmoid(z))); }

}  // namespace

extern "C" void matmul_add_swish_tanh_gelu_hardtanh(const float* x, const float* w, const float* b, const float* v, float* y, int64_t M,
                                                    int64_t K, int64_t N) {
  blocks::product(M, N, K, blocks::row_major(x, K), blocks::transposed(w, K), y, N);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m)
    for (int64_t n = 0; n < N; ++n) y[m * N + n] = tail(y[m * N + n] + b[n] + v[n]);
}
