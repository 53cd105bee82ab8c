// SPDX-License-Identifier: Apache-2.0
// The product first, then its rows one by one.
#include "blocks/vector_math.h"
#include "blocks/product.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

float gelu(float z) { return 0.5f * z * (1 + blocks::erf(z * 0.70710678f)); }

}  // namespace

extern "C" void matmul_avg_pool_gelu_scale_max(const float* x, const float* w, const float* b, float* y, int64_t M, int64_t K, int64_t P) {
  std::vector<float> z(M * 16 * P), means(M * P);
  blocks::product(M, 16 * P, K, blocks::row_major(x, K), blocks::transposed(w, K), z.data(), 16 * P);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) {
    float* mean = &means[m * P];
    for (int64_t p = 0; p < P; ++p) {
      const float* window = &z[(m * P + p) * 16];
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t i = 0; i < 16; ++i) sum += window[i] + b[p * 16 + i];
      mean[p] = static_cast<float>(sum / 16);
    }
    float most = -INFINITY;
#pragma omp simd reduction(max : most)
    for (int64_t p = 0; p < P; ++p) most = std::max(most, gelu(mean[p]));
    y[m] = 2 * most;
  }
}
