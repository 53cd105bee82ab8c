// SPDX-License-Identifier: Apache-2.0
// The product first, then some of its columns at a time, then its rows one by one.
#include "blocks/vector_math.h"

#include "blocks/product.h"

#include <cmath>

#include "kernel.h"

extern "C" void gemm_batch_norm_scaling_softmax(const float* x, const float* w, const float* scale, const float* bias, const float* factor,
                                                float* y, int64_t M, int64_t K, int64_t N) {
  blocks::product(M, N, K, blocks::row_major(x, K), blocks::transposed(w, K), y, N);
  constexpr int64_t kWidth = 32;
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < N; first += kWidth) {
    const int64_t end = std::min(first + kWidth, N);
    double mean[kWidth] = {}, squares[kWidth] = {}, unit[kWidth];
    for (int64_t m = 0; m < M; ++m)
      for (int64_t n = first; n < end; ++n) mean[n - first] += y[m * N + n];
    for (double& each : mean) each /= static_cast<double>(M);
    for (int64_t m = 0; m < M; ++m)
      for (int64_t n = first; n < end; ++n) squares[n - first] += (y[m * N + n] - mean[n - first]) * (y[m * N + n] - mean[n - first]);
    for (int64_t i = 0; i < kWidth; ++i) unit[i] = 1 / std::sqrt(squares[i] / static_cast<double>(M) + 1e-5);
    for (int64_t m = 0; m < M; ++m)
      for (int64_t n = first; n < end; ++n)
        y[m * N + n] = (static_cast<float>((y[m * N + n] - mean[n - first]) * unit[n - first]) * scale[n] + bias[n]) * factor[0];
  }
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) {
    float *row = y + m * N, top = row[0], sum = 0;
#pragma omp simd reduction(max : top)
    for (int64_t n = 1; n < N; ++n) top = top < row[n] ? row[n] : top;
#pragma omp simd reduction(+ : sum)
    for (int64_t n = 0; n < N; ++n) sum += row[n] = blocks::exp(row[n] - top);
    for (int64_t n = 0; n < N; ++n) row[n] /= sum;
  }
}
