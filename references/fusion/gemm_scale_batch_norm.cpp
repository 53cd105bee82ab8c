// SPDX-License-Identifier: Apache-2.0
// The product first, then some of its columns at a time.
#include "blocks/product.h"

#include <cmath>

#include "kernel.h"

extern "C" void gemm_scale_batch_norm(const float* x, const float* w, const float* v, const float* scale, const float* bias, float* y,
                                      int64_t M, int64_t K, int64_t N) {
  blocks::product(M, N, K, blocks::row_major(x, K), blocks::transposed(w, K), y, N);
  constexpr int64_t kWidth = 32;
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < N; first += kWidth) {
    const int64_t end = std::min(first + kWidth, N);
    double mean[kWidth] = {}, squares[kWidth] = {}, factor[kWidth];
    for (int64_t m = 0; m < M; ++m)
      for (int64_t n = first; n < end; ++n) mean[n - first] += y[m * N + n] *= v[n];
    for (double& each : mean) each /= static_cast<double>(M);
    for (int64_t m = 0; m < M; ++m)
      for (int64_t n = first; n < end; ++n) squares[n - first] += (y[m * N + n] - mean[n - first]) * (y[m * N + n] - mean[n - first]);
    for (int64_t i = 0; i < kWidth; ++i) factor[i] = 1 / std::sqrt(squares[i] / static_cast<double>(M) + 1e-5);
    for (int64_t m = 0; m < M; ++m)
      for (int64_t n = first; n < end; ++n)
        y[m * N + n] = static_cast<float>((y[m * N + n] - mean[n - first]) * factor[n - first]) * scale[n] + bias[n];
  }
}
