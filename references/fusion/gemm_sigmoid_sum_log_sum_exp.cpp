// SPDX-License-Identifier: Apache-2.0
// Two products; what follows each is done row by row.
#include "blocks/vector_math.h"

#include "blocks/product.h"

#include <cmath>

#include "kernel.h"

namespace {

float sigmoid(float z) { return 1 / (1 + blocks::exp(-z)); }

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

}  // namespace

extern "C" void gemm_sigmoid_sum_log_sum_exp(const float* x, const float* w, const float* b, const float* w2, const float* b2, float* y,
                                             int64_t M, int64_t K, int64_t H, int64_t N) {
  std::vector<float> hidden(M * H), z(M * N);
  blocks::product(M, H, K, blocks::row_major(x, K), blocks::transposed(w, K), hidden.data(), H);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m)
    for (int64_t i = 0; i < H; ++i) hidden[m * H + i] = sigmoid(hidden[m * H + i] + b[i]);
  blocks::product(M, N, H, blocks::row_major(hidden.data(), H), blocks::transposed(w2, H), z.data(), N);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) y[m] = log_sum_exp(&z[m * N], b2, N);
}
