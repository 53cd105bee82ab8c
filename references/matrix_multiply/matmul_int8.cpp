// SPDX-License-Identifier: Apache-2.0
#include "blocks/integer_product.h"

#include "kernel.h"

void matmul_int8(const int8_t* a, const int8_t* b, int8_t* y, int64_t M, int64_t K, int64_t N) {
  const std::vector<float> left(a, a + M * K), right(b, b + K * N);
  const std::vector<int32_t> sums = blocks::integer_product(M, N, K, left.data(), blocks::row_major(right.data(), N), 128 * 128);
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < M * N; ++i) y[i] = static_cast<int8_t>(std::clamp(sums[i], -128, 127));
}
