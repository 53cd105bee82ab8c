// SPDX-License-Identifier: Apache-2.0
// The product first, then its rows one by one; each comes down to one number, which then goes to all rows of y.
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

extern "C" void gemm_group_norm_min_bias_add(const float* x, const float* w, const float* b, const float* scale, const float* bias,
                                             const float* v, float* y, int64_t M, int64_t K, int64_t N) {
  std::vector<float> z(M * N), least(M, INFINITY);
  blocks::product(M, N, K, blocks::row_major(x, K), blocks::transposed(w, K), z.data(), N);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) {
    float *row = &z[m * N], smallest = INFINITY;
    for (int64_t n = 0; n < N; ++n) row[n] += b[n];
    for (int64_t g = 0; g < 4; ++g) normalize(row + g * N / 4, N / 4);
#pragma omp simd reduction(min : smallest)
    for (int64_t n = 0; n < N; ++n) smallest = std::min(smallest, row[n] * scale[n] + bias[n]);
    least[m] = smallest;
  }
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t m = 0; m < M; ++m) y[n * M + m] = least[m] + v[n];
}
