// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "kernel.h"

void layer_norm_backward(const float* dy, const float* x, const float* weight, const float* mean, const float* rstd, float* dx,
                         float* dweight, float* dbias, int64_t N, int64_t C) {
  std::vector<float> u(N * C), w(N * C);
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    for (int64_t c = 0; c < C; ++c) {
      u[n * C + c] = (x[n * C + c] - mean[n]) * rstd[n];
      w[n * C + c] = weight[c] * dy[n * C + c];
    }
  }
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    double w_mean = 0, wu_mean = 0;
    for (int64_t c = 0; c < C; ++c) {
      w_mean += w[n * C + c];
      wu_mean += w[n * C + c] * u[n * C + c];
    }
    w_mean /= C;
    wu_mean /= C;
    for (int64_t c = 0; c < C; ++c) dx[n * C + c] = rstd[n] * (w[n * C + c] - w_mean - u[n * C + c] * wu_mean);
  }
#pragma omp parallel for
  for (int64_t c = 0; c < C; ++c) {
    double weight_sum = 0, bias_sum = 0;
    for (int64_t n = 0; n < N; ++n) {
      weight_sum += dy[n * C + c] * u[n * C + c];
      bias_sum += dy[n * C + c];
    }
    dweight[c] = weight_sum;
    dbias[c] = bias_sum;
  }
}
