// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "kernel.h"

void mlp(const float* x, const float* w1, const float* b1, const float* w2, const float* b2, const float* w3, const float* b3, float* y,
         int64_t B, int64_t I, int64_t H1, int64_t H2, int64_t O) {
  std::vector<float> h1(B * H1);
  std::vector<float> h2(B * H2);
#pragma omp parallel for
  for (int64_t n = 0; n < B; ++n) {
    for (int64_t o = 0; o < H1; ++o) {
      float sum = b1[o];
      for (int64_t i = 0; i < I; ++i) sum += x[n * I + i] * w1[o * I + i];
      h1[n * H1 + o] = sum < 0 ? 0 : sum;
    }
  }
#pragma omp parallel for
  for (int64_t n = 0; n < B; ++n) {
    for (int64_t o = 0; o < H2; ++o) {
      float sum = b2[o];
      for (int64_t i = 0; i < H1; ++i) sum += h1[n * H1 + i] * w2[o * H1 + i];
      h2[n * H2 + o] = sum < 0 ? 0 : sum;
    }
  }
#pragma omp parallel for
  for (int64_t n = 0; n < B; ++n) {
    for (int64_t o = 0; o < O; ++o) {
      float sum = b3[o];
      for (int64_t i = 0; i < H2; ++i) sum += h2[n * H2 + i] * w3[o * H2 + i];
      y[n * O + o] = sum;
    }
  }
}
