// SPDX-License-Identifier: Apache-2.0
// The sum of a row of the product is the product with the sums of the columns of w^T.
#include <vector>

#include "kernel.h"

extern "C" void gemm_divide_sum_scaling(const float* x, const float* w, float* y, int64_t M, int64_t K, int64_t N) {
  std::vector<double> sums(K);
  for (int64_t n = 0; n < N; ++n)
    for (int64_t k = 0; k < K; ++k) sums[k] += w[n * K + k];
  for (int64_t m = 0; m < M; ++m) {
    double sum = 0;
    for (int64_t k = 0; k < K; ++k) sum += x[m * K + k] * sums[k];
    y[m] = static_cast<float>(0.75 * sum);
  }
}
