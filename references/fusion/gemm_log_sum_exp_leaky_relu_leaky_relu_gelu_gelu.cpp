// SPDX-License-Identifier: Apache-2.0
// The product first, then its rows one by one.
#include "blocks/vector_math.h"

#include "blocks/product.h"

#include <cmath>

#include "kernel.h"

namespace {

/// The logarithm of the sum of the exponentials of N numbers, to each of which one of b is added before.
float log_sum_exp(float* z, const float* b, int64_t N) {
  float top = -INFINITY;
#pragma omp simd reduction(max : top)
  for (int64_t n = 0; n < N; ++n) {
    z[n] += b[n];
    top = top < z[n] ? z[n] : top;
  }
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t n = 0; n < N; ++n) sum += blocks::exp(z[n] - top);
  return top + static_cast<float>(std::log(sum));
}

float leaky(float z, float slope) { return z < 0 ? slope * z : z; }

float gelu(float z) { return 0.5f * z * (1 + blocks::erf(z * 0.70710678f)); }

}  // namespace

extern "C" void gemm_log_sum_exp_leaky_relu_leaky_relu_gelu_gelu(const float* x, const float* w, const float* b, float* y, int64_t M,
                                                                 int64_t K, int64_t N) {
  std::vector<float> z(M * N);
  blocks::product(M, N, K, blocks::row_major(x, K), blocks::transposed(w, K), z.data(), N);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) y[m] = gelu(gelu(leaky(leaky(log_sum_exp(&z[m * N], b, N), 0.01f), 0.01f)));
}
