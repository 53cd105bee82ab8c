// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "kernel.h"

void cosine_similarity_loss(const float* x, const float* t, float* y, int64_t N, int64_t C) {
  std::vector<float> loss(N);
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    float dot = 0;
    float left = 0;
    float right = 0;
    for (int64_t c = 0; c < C; ++c) {
      dot += x[n * C + c] * t[n * C + c];
      left += x[n * C + c] * x[n * C + c];
      right += t[n * C + c] * t[n * C + c];
    }
    loss[n] = 1 - dot / (std::sqrt(left) * std::sqrt(right));
  }
  float sum = 0;
  for (int64_t n = 0; n < N; ++n) sum += loss[n];
  y[0] = sum / N;
}
