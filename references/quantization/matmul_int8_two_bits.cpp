// SPDX-License-Identifier: Apache-2.0
// A row of b gives four rows of weights, each a code less 1.
#include "blocks/integer_product.h"

#include "kernel.h"

extern "C" void matmul_int8_two_bits(const int8_t* a, const uint8_t* b, int32_t* y, int64_t M, int64_t K, int64_t N) {
  const std::vector<float> left(a, a + M * 4 * K);
  std::vector<float> right(4 * K * N);
#pragma omp parallel for schedule(static)
  for (int64_t k = 0; k < K; ++k)
    for (int64_t i = 0; i < 4; ++i)
      for (int64_t n = 0; n < N; ++n) right[(i * K + k) * N + n] = static_cast<float>((b[k * N + n] >> 2 * i & 3) - 1);
  const std::vector<int32_t> sums = blocks::integer_product(M, N, 4 * K, left.data(), blocks::row_major(right.data(), N), 128 * 2);
  std::copy(sums.begin(), sums.end(), y);
}
