// SPDX-License-Identifier: Apache-2.0
// Chunks are independent, for their states are given. d is computed once; its rows serve dq, its columns dk.
#include "blocks/vector_math.h"

#include "blocks/product.h"

#include <cmath>

#include "kernel.h"

namespace {

float dot(const float* a, const float* b, int64_t size) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < size; ++i) sum += a[i] * b[i];
  return sum;
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
    const blocks::Strided outer = blocks::row_major(dy + first * V, V), values = blocks::row_major(v + first * V, V);
    blocks::product(C, K, V, outer, blocks::transposed(state, V), dq + first * K, K);
    blocks::product(C, K, V, values, blocks::transposed(state_gradient, V), dk + first * K, K);
    float of_last = blocks::exp(gate[C - 1]) * dot(state, state_gradient, K * V);
    for (int64_t i = 0; i < C; ++i) {
      const float growth = scale * blocks::exp(gate[i]), left = blocks::exp(gate[C - 1] - gate[i]);
      for (int64_t c = 0; c < K; ++c) dq[(first + i) * K + c] *= growth;
      for (int64_t c = 0; c < K; ++c) dk[(first + i) * K + c] *= left;
      of_last += dot(k + (first + i) * K, dk + (first + i) * K, K);
    }
    std::vector<float> d(C * C);
    blocks::product(C, C, V, outer, blocks::transposed(v + first * V, V), d.data(), C);
    for (int64_t i = 0; i < C; ++i) {
      for (int64_t j = 0; j <= i; ++j) d[i * C + j] *= scale * blocks::exp(gate[i] - gate[j]);
      std::fill(&d[i * C + i] + 1, d.data() + (i + 1) * C, 0.0f);
    }
    blocks::product(C, K, C, blocks::row_major(d.data(), C), blocks::row_major(k + first * K, K), dq + first * K, K, true);
    blocks::product(C, K, C, blocks::transposed(d.data(), C), blocks::row_major(q + first * K, K), dk + first * K, K, true);
    for (int64_t i = first; i < first + C; ++i) dg[i] = dot(q + i * K, dq + i * K, K) - dot(k + i * K, dk + i * K, K);
    dg[first + C - 1] += of_last;
  }
}
