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

static void layer_norm(const float* x, const float* scale, const float* shift, float* y, int64_t M, int64_t E) {
#pragma omp parallel for
  for (int64_t m = 0; m < M; ++m) {
    float mean = 0;
    for (int64_t e = 0; e < E; ++e) mean += x[m * E + e];
    mean /= E;
    float variance = 0;
    for (int64_t e = 0; e < E; ++e) variance += (x[m * E + e] - mean) * (x[m * E + e] - mean);
    variance /= E;
    for (int64_t e = 0; e < E; ++e) {
      y[m * E + e] = (x[m * E + e] - mean) / std::sqrt(variance + 1e-5f) * scale[e] + shift[e];
    }
  }
}

void mini_gpt_block(const float* x, const float* scale1, const float* shift1, const float* w, const float* b, const float* u,
                    const float* c, const float* scale2, const float* shift2, const float* widen, const float* b_widen, const float* narrow,
                    const float* b_narrow, float* y, int64_t B, int64_t T, int64_t H, int64_t D) {
  int64_t M = B * T;
  int64_t E = H * D;
  std::vector<float> n1(M * E);
  std::vector<float> packed(M * 3 * E);
  std::vector<float> heads(M * E);
  std::vector<float> h(M * E);
  std::vector<float> n2(M * E);
  std::vector<float> z(M * 4 * E);
  layer_norm(x, scale1, shift1, n1.data(), M, E);
  linear(n1.data(), w, b, packed.data(), M, E, 3 * E);
  attention(packed.data(), heads.data(), B, T, H, D);
  linear(heads.data(), u, c, h.data(), M, E, E);
#pragma omp parallel for
  for (int64_t i = 0; i < M * E; ++i) h[i] += x[i];
  layer_norm(h.data(), scale2, shift2, n2.data(), M, E);
  linear(n2.data(), widen, b_widen, z.data(), M, E, 4 * E);
#pragma omp parallel for
  for (int64_t i = 0; i < M * 4 * E; ++i) {
    z[i] = 0.5f * z[i] * (1 + std::tanh(0.7978845608028654f * (z[i] + 0.044715f * z[i] * z[i] * z[i])));
  }
  linear(z.data(), narrow, b_narrow, y, M, 4 * E, E);
#pragma omp parallel for
  for (int64_t i = 0; i < M * E; ++i) y[i] += h[i];
}
