// SPDX-License-Identifier: Apache-2.0
// Each output has a row of x's weights, which it reads and writes alone.
#include <vector>

#include "kernel.h"

extern "C" void linear_training_step(const float* x, const float* target, float* w, float* b, float* w_velocity, float* b_velocity, float* loss,
                                     int64_t N, int64_t K, int64_t M) {
  const float scale = 2 / static_cast<float>(N * M);
  std::vector<float> losses(M);
#pragma omp parallel
  {
    std::vector<float> gradient(K);
#pragma omp for
    for (int64_t m = 0; m < M; ++m) {
      float squares = 0, errors = 0;
      float* row = w + m * K;
      for (float& each : gradient) each = 0;
      for (int64_t n = 0; n < N; ++n) {
        const float* in = x + n * K;
        float said = 0;
#pragma omp simd reduction(+ : said)
        for (int64_t k = 0; k < K; ++k) said += in[k] * row[k];
        const float e = said + b[m] - target[n * M + m];
        squares += e * e;
        errors += e;
        for (int64_t k = 0; k < K; ++k) gradient[k] += e * in[k];
      }
      losses[m] = squares;
      for (int64_t k = 0; k < K; ++k) {
        w_velocity[m * K + k] = 0.9f * w_velocity[m * K + k] + scale * gradient[k];
        row[k] -= 0.1f * w_velocity[m * K + k];
      }
      b_velocity[m] = 0.9f * b_velocity[m] + scale * errors;
      b[m] -= 0.1f * b_velocity[m];
    }
  }
  float all = 0;
  for (const float each : losses) all += each;
  *loss = all / static_cast<float>(N * M);
}
