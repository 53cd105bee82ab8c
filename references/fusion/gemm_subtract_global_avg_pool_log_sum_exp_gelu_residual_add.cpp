// SPDX-License-Identifier: Apache-2.0
// The mean of a row's features is the product of the row and the mean of the rows of w; both are taken in double.
#include "blocks/vector_math.h"

#include <vector>

#include "kernel.h"

namespace {

float gelu(float z) { return 0.5f * z * (1 + blocks::erf(z * 0.70710678f)); }

}  // namespace

extern "C" void gemm_subtract_global_avg_pool_log_sum_exp_gelu_residual_add(const float* x, const float* w, const float* b, const float* v,
                                                                            float* y, int64_t M, int64_t K, int64_t N) {
  std::vector<double> sums(K);
  double shift = 0;
  for (int64_t n = 0; n < N; ++n) {
    shift += static_cast<double>(b[n]) - v[n];
    for (int64_t k = 0; k < K; ++k) sums[k] += w[n * K + k];
  }
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) {
    double sum = shift;
#pragma omp simd reduction(+ : sum)
    for (int64_t k = 0; k < K; ++k) sum += x[m * K + k] * sums[k];
    const float more = gelu(static_cast<float>(sum / static_cast<double>(N)));
    for (int64_t k = 0; k < K; ++k) y[m * K + k] = x[m * K + k] + more;
  }
}
