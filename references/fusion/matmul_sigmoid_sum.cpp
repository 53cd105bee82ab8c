// SPDX-License-Identifier: Apache-2.0
// The product first, then its rows one by one.
#include "blocks/vector_math.h"

#include "blocks/product.h"
#include "kernel.h"

extern "C" void matmul_sigmoid_sum(const float* x, const float* w, const float* b, float* y, int64_t M, int64_t K, int64_t N) {
  std::vector<float> z(M * N);
  blocks::product(M, N, K, blocks::row_major(x, K), blocks::transposed(w, K), z.data(), N);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) {
    float total = 0.0f;
#pragma omp simd reduction(+ : total)
    for (int64_t n = 0; n < N; ++n) total += 1.0f / (1.0f + blocks::exp(-(z[m * N + n] + b[n])));
    y[m] = total;
  }
}
