// SPDX-License-Identifier: Apache-2.0
// How much each query attends to the keys of each class, which masks name.
#pragma once

#include "blocks/vector_math.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace blocks {

/// For each of scores' [B, H, Q, K] samples and queries, use(b, q, c, means) with a mean for each head: that of the softmax over the keys of
/// class c, whose mask [K] of masks [C, K] is 1.
template <class Use>
void key_class_means(const float* scores, const float* masks, int64_t B, int64_t H, int64_t Q, int64_t K, int64_t C, Use&& use) {
  std::vector<float> counts(C);
  for (int64_t c = 0; c < C; ++c)
    for (int64_t k = 0; k < K; ++k) counts[c] += masks[c * K + k];
#pragma omp parallel
  {
    std::vector<float> power(K), means(C * H);
#pragma omp for collapse(2) schedule(static)
    for (int64_t b = 0; b < B; ++b)
      for (int64_t q = 0; q < Q; ++q) {
        for (int64_t h = 0; h < H; ++h) {
          const float* x = scores + ((b * H + h) * Q + q) * K;
          float top = x[0], sum = 0;
#pragma omp simd reduction(max : top)
          for (int64_t k = 0; k < K; ++k) top = std::max(top, x[k]);
#pragma omp simd reduction(+ : sum)
          for (int64_t k = 0; k < K; ++k) sum += power[k] = exp(x[k] - top);
          for (int64_t c = 0; c < C; ++c) {
            float part = 0;
#pragma omp simd reduction(+ : part)
            for (int64_t k = 0; k < K; ++k) part += power[k] * masks[c * K + k];
            means[c * H + h] = part / (sum * counts[c]);
          }
        }
        for (int64_t c = 0; c < C; ++c) use(b, q, c, means.data() + c * H);
      }
  }
}

}  // namespace blocks
