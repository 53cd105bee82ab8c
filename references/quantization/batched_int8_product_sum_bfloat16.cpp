// SPDX-License-Identifier: Apache-2.0
#include "blocks/integer_product.h"

#include "kernel.h"

#include "blocks/bfloat16.h"

extern "C" void batched_int8_product_sum_bfloat16(const int8_t* a, const int8_t* b, const float* row_scale, const float* column_scale,
                                                  bfloat16* y, int64_t B, int64_t M, int64_t K, int64_t N) {
  std::vector<float> total(M * N);
  for (int64_t i = 0; i < B; ++i) {
    const std::vector<float> left(a + i * M * K, a + (i + 1) * M * K), right(b + i * K * N, b + (i + 1) * K * N);
    const std::vector<int32_t> sums = blocks::integer_product(M, N, K, left.data(), blocks::row_major(right.data(), N), 128 * 128);
#pragma omp parallel for schedule(static)
    for (int64_t m = 0; m < M; ++m)
      for (int64_t n = 0; n < N; ++n) total[m * N + n] += static_cast<float>(sums[m * N + n]) * row_scale[i * M + m];
  }
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m)
    for (int64_t n = 0; n < N; ++n) blocks::store(total[m * N + n] * column_scale[n], y[m * N + n]);
}
