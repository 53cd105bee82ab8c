// SPDX-License-Identifier: Apache-2.0
// The product first, then some columns at a time, so that sums of many columns advance side by side.
#include "blocks/vector_math.h"
#include "blocks/product.h"

#include <algorithm>
#include <cmath>

#include "kernel.h"

namespace {

float relu_of_gelu(float z) { return z < 0 ? 0 : 0.5f * z * (1 + blocks::erf(z * 0.70710678f)); }

}  // namespace

extern "C" void gemm_batch_norm_gelu_group_norm_mean_relu(const float* x, const float* w, const float* scale, const float* bias, float* y,
                                                          int64_t M, int64_t K, int64_t N) {
  constexpr int64_t block = 64;
  blocks::product(M, N, K, blocks::row_major(x, K), blocks::transposed(w, K), y, N);
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < N; first += block) {
    const int64_t last = std::min(first + block, N);
    double mean[block] = {}, squares[block] = {}, factor[block];
    for (int64_t m = 0; m < M; ++m)
      for (int64_t n = first; n < last; ++n) mean[n - first] += y[m * N + n];
    for (double& sum : mean) sum /= M;
    for (int64_t m = 0; m < M; ++m)
      for (int64_t n = first; n < last; ++n) {
        const double distance = y[m * N + n] - mean[n - first];
        squares[n - first] += distance * distance;
      }
    for (int64_t i = 0; i < block; ++i) factor[i] = 1 / std::sqrt(squares[i] / M + 1e-5);
    for (int64_t m = 0; m < M; ++m)
      for (int64_t n = first; n < last; ++n) {
        const float unit = static_cast<float>((y[m * N + n] - mean[n - first]) * factor[n - first]);
        y[m * N + n] = relu_of_gelu(unit * scale[n] + bias[n]);
      }
  }
}
