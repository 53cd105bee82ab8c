// SPDX-License-Identifier: Apache-2.0
// A product of small integers by the kernel for float32, which holds whole numbers up to 2^24: sums of as many terms as stay below that
// are exact, and are added as integers.
#pragma once

#include "blocks/product.h"

namespace blocks {

/// a[M, K] b[K, N] of whole numbers, row-major, whose products are at most `largest` in magnitude.
inline std::vector<int32_t> integer_product(int64_t M, int64_t N, int64_t K, const float* a, Strided b, int64_t largest) {
  const int64_t terms = (int64_t{1} << 24) / largest;
  std::vector<int32_t> sums(M * N);
  std::vector<float> part(M * N);
  for (int64_t k = 0; k < K; k += terms) {
    product(M, N, std::min(terms, K - k), {a + k, K, 1}, {b.data + k * b.row, b.row, b.column}, part.data(), N);
#pragma omp parallel for simd schedule(static)
    for (int64_t i = 0; i < M * N; ++i) sums[i] += static_cast<int32_t>(part[i]);
  }
  return sums;
}

}  // namespace blocks
