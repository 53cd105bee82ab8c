// SPDX-License-Identifier: Apache-2.0
// Chunks are independent, for their states are given. d is computed once; its rows serve dq, its columns dk.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

float dot(const float* a, const float* b, int64_t size) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

void add(float* to, const float* from, float factor, int64_t size) {
  for (int64_t i = 0; i < size; ++i) to[i] += factor * from[i];
}

}  // namespace

extern "C" void gated_chunk_backward(const float* dy, const float* q, const float* k, const float* v, const float* g, const float* h,
                                     const float* dh, float* dq, float* dk, float* dg, int64_t B, int64_t H, int64_t M, int64_t C, int64_t V,
                                     int64_t K) {
  const float scale = 1 / std::sqrt(static_cast<float>(K));
#pragma omp parallel for schedule(dynamic)
  for (int64_t chunk = 0; chunk < B * H * M; ++chunk) {
    const float *gate = g + chunk * C, *state = h + chunk * K * V, *state_gradient = dh + chunk * K * V;
    const int64_t first = chunk * C;
    float of_last = std::exp(gate[C - 1]) * dot(state, state_gradient, K * V);
    for (int64_t i = 0; i < C; ++i) {
      const float growth = scale * std::exp(gate[i]), left = std::exp(gate[C - 1] - gate[i]);
      for (int64_t c = 0; c < K; ++c) {
        dq[(first + i) * K + c] = growth * dot(dy + (first + i) * V, state + c * V, V);
        dk[(first + i) * K + c] = left * dot(v + (first + i) * V, state_gradient + c * V, V);
      }
      of_last += dot(k + (first + i) * K, dk + (first + i) * K, K);
    }
    for (int64_t i = 0; i < C; ++i)
      for (int64_t j = 0; j <= i; ++j) {
        const float d = scale * dot(dy + (first + i) * V, v + (first + j) * V, V) * std::exp(gate[i] - gate[j]);
        add(dq + (first + i) * K, k + (first + j) * K, d, K);
        add(dk + (first + j) * K, q + (first + i) * K, d, K);
      }
    for (int64_t i = 0; i < C; ++i)
      dg[first + i] = dot(q + (first + i) * K, dq + (first + i) * K, K) - dot(k + (first + i) * K, dk + (first + i) * K, K);
    dg[first + C - 1] += of_last;
  }
}
