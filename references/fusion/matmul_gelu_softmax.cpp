// SPDX-License-Identifier: Apache-2.0
// The rows of the product are softened in place, in three passes each.
#include "blocks/vector_math.h"
#include "blocks/product.h"

#include <cmath>

#include "kernel.h"

namespace {

// erfc, since 1 + erf(z) loses digits where z is negative.
float gelu(float z) { return 0.5f * z * blocks::erfc(-z * 0.70710678f); }

}  // namespace

extern "C" void matmul_gelu_softmax(const float* x, const float* w, const float* b, float* y, int64_t M, int64_t K,
                                    int64_t N) {
  blocks::product(M, N, K, blocks::row_major(x, K), blocks::transposed(w, K), y, N);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) {
    float* row = y + m * N;
    float top = -INFINITY, total = 0.0f;
#pragma omp simd reduction(max : top)
    for (int64_t n = 0; n < N; ++n) {
      const float z = gelu(row[n] + b[n]);
      row[n] = z;
      top = z > top ? z : top;
    }
#pragma omp simd reduction(+ : total)
    for (int64_t n = 0; n < N; ++n) total += row[n] = blocks::exp(row[n] - top);
    for (int64_t n = 0; n < N; ++n) row[n] /= total;
  }
}
