// SPDX-License-Identifier: Apache-2.0
#include "blocks/integer_product.h"

#include "kernel.h"

extern "C" void matmul_int8_scaled_columns_float16(const int8_t* a, const int8_t* b, const float* scale, const int32_t* bias, float16* y,
                                                   int64_t M, int64_t K, int64_t N) {
  const std::vector<float> left(a, a + M * K), right(b, b + K * N);
  const std::vector<int32_t> sums = blocks::integer_product(M, N, K, left.data(), blocks::row_major(right.data(), N), 128 * 128);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m)
    for (int64_t n = 0; n < N; ++n) y[m * N + n] = static_cast<float16>(static_cast<float>(sums[m * N + n] + bias[n]) * scale[n]);
}
