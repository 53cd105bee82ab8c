// SPDX-License-Identifier: Apache-2.0
// The product first, then its rows one by one, in place.
#include "blocks/product.h"

#include <cmath>

#include "kernel.h"

namespace {

/// Mean 0 and variance 1, but for the 1e-5 below the root.
void normalize(float* z, int64_t size) {
  double sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < size; ++i) sum += z[i];
  const double mean = sum / static_cast<double>(size);
#pragma omp simd reduction(+ : squares)
  for (int64_t i = 0; i < size; ++i) squares += (z[i] - mean) * (z[i] - mean);
  const double factor = 1 / std::sqrt(squares / static_cast<double>(size) + 1e-5);
  for (int64_t i = 0; i < size; ++i) z[i] = static_cast<float>((z[i] - mean) * factor);
}

}  // namespace

extern "C" void bmm_instance_norm_sum_residual_add_multiply(const float* x, const float* w, const float* b, const float* r, float* y,
                                                            int64_t M, int64_t K, int64_t N) {
  blocks::product(M, N, K, blocks::row_major(x, K), blocks::transposed(w, K), y, N);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) {
    float* row = y + m * N;
    for (int64_t n = 0; n < N; ++n) row[n] += b[n];
    normalize(row, N);
    for (int64_t n = 0; n < N; ++n) row[n] = (row[n] + r[m * N + n]) * r[m * N + n];
  }
}
