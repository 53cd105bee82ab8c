// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "kernel.h"

static void linear(const float* x, const float* w, const float* b, float* y, int64_t M, int64_t K, int64_t N) {
#pragma omp parallel for
  for (int64_t m = 0; m < M; ++m) {
    for (int64_t n = 0; n < N; ++n) {
      float sum = 0;
      for (int64_t k = 0; k < K; ++k) sum += x[m * K + k] * w[k * N + n];
      y[m * N + n] = sum + b[n];
    }
  }
}

static void attention(const float* packed, float* heads, int64_t B, int64_t T, int64_t H, int64_t D) {
  int64_t E = H * D;
#pragma omp parallel for
  for (int64_t b = 0; b < B; ++b) {
    for (int64_t h = 0; h < H; ++h) {
      for (int64_t t = 0; t < T; ++t) {
        const float* q = packed + (b * T + t) * 3 * E + h * D;
        std::vector<float> weight(t + 1);
        float largest = -INFINITY;
        for (int64_t s = 0; s <= t; ++s) {
          const float* k = packed + (b * T + s) * 3 * E + E + h * D;
          float sum = 0;
          for (int64_t d = 0; d < D; ++d) sum += q[d] * k[d];
          weight[s] = sum / std::sqrt(float(D));
          if (weight[s] > largest) largest = weight[s];
        }
        float total = 0;
        for (int64_t s = 0; s <= t; ++s) {
          weight[s] = std::exp(weight[s] - largest);
          total += weight[s];
        }
        for (int64_t d = 0; d < D; ++d) {
          float sum = 0;
          for (int64_t s = 0; s <= t; ++s) sum += weight[s] / total * packed[(b * T + s) * 3 * E + 2 * E + h * D + d];
          heads[(b * T + t) * E + h * D + d] = sum;
        }
      }
    }
  }
}

void causal_self_attention(const float* x, const float* w, const float* b, const float* u, const float* c, float* y, int64_t B, int64_t T,
                           int64_t H, int64_t D) {
  int64_t E = H * D;
  std::vector<float> packed(B * T * 3 * E);
  std::vector<float> heads(B * T * E);
  linear(x, w, b, packed.data(), B * T, E, 3 * E);
  attention(packed.data(), heads.data(), B, T, H, D);
  linear(heads.data(), u, c, y, B * T, E, E);
}
