// SPDX-License-Identifier: Apache-2.0
// Two products with elementwise passes behind each.
#include "blocks/product.h"

#include <vector>

#include "kernel.h"

extern "C" void linear_training_step(const float* x, const float* target, float* w, float* b, float* w_velocity,
                                     float* b_velocity, float* loss, int64_t N, int64_t K, int64_t M) {
  const float scale = 2 / static_cast<float>(N * M);
  std::vector<float> e(N * M), errors(M), gradient(M * K);
  blocks::product(N, M, K, blocks::row_major(x, K), blocks::transposed(w, K), e.data(), M);
  double squares = 0;
  for (int64_t n = 0; n < N; ++n) {
    float* row = &e[n * M];
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t m = 0; m < M; ++m) {
      row[m] += b[m] - target[n * M + m];
      errors[m] += row[m];
      sum += row[m] * row[m];
    }
    squares += sum;
  }
  *loss = static_cast<float>(squares / static_cast<double>(N * M));
  blocks::product(M, K, N, blocks::transposed(e.data(), M), blocks::row_major(x, K), gradient.data(), K);
  const auto step = [scale](float* value, float* velocity, const float* sum, int64_t count) {
#pragma omp parallel for simd schedule(static)
    for (int64_t i = 0; i < count; ++i) {
      velocity[i] = 0.9f * velocity[i] + scale * sum[i];
      value[i] -= 0.1f * velocity[i];
    }
  };
  step(w, w_velocity, gradient.data(), M * K);
  step(b, b_velocity, errors.data(), M);
}
