// SPDX-License-Identifier: Apache-2.0
// A channel at a time, whose planes the cache keeps: two passes for its statistics, one for both sums, one for dx.
#include <cmath>

#include "kernel.h"

extern "C" void batch_norm_backward(const float* gamma, const float* x, const float* dy, float* dx, float* dgamma, float* dbeta, int64_t C,
                                    int64_t N, int64_t H, int64_t W) {
  const int64_t plane = H * W;
  const auto count = static_cast<float>(N * plane);
#pragma omp parallel for schedule(static)
  for (int64_t c = 0; c < C; ++c) {
    float mean = 0, squares = 0, u_sum = 0, sum = 0;
    for (int64_t n = 0; n < N; ++n) {
      const float* in = x + (n * C + c) * plane;
      float part = 0;
#pragma omp simd reduction(+ : part)
      for (int64_t i = 0; i < plane; ++i) part += in[i];
      mean += part / count;
    }
    for (int64_t n = 0; n < N; ++n) {
      const float* in = x + (n * C + c) * plane;
#pragma omp simd reduction(+ : squares)
      for (int64_t i = 0; i < plane; ++i) squares += (in[i] - mean) * (in[i] - mean);
    }
    const float rstd = 1 / std::sqrt(squares / count + 1e-5f);
    for (int64_t n = 0; n < N; ++n) {
      const float *in = x + (n * C + c) * plane, *g = dy + (n * C + c) * plane;
#pragma omp simd reduction(+ : u_sum, sum)
      for (int64_t i = 0; i < plane; ++i) {
        u_sum += g[i] * ((in[i] - mean) * rstd);
        sum += g[i];
      }
    }
    dgamma[c] = u_sum;
    dbeta[c] = sum;
    const float factor = gamma[c] * rstd, along = u_sum / count, middle = sum / count;
    for (int64_t n = 0; n < N; ++n) {
      const int64_t begin = (n * C + c) * plane;
      for (int64_t i = begin; i < begin + plane; ++i) dx[i] = factor * (dy[i] - (middle + (x[i] - mean) * rstd * along));
    }
  }
}
