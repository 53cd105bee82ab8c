// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include <limits>

#include "kernel.h"

extern "C" void masked_softmax(const float* x, const bool* mask, float* y, int64_t B, int64_t S, int64_t K) {
#pragma omp parallel for
  for (int64_t r = 0; r < B * S; ++r) {
    const float* row = x + r * K;
    const bool* kept = mask + r * K;
    float highest = -std::numeric_limits<float>::infinity(), sum = 0.0f;
    for (int64_t k = 0; k < K; ++k)
      if (kept[k] && row[k] > highest) highest = row[k];
    for (int64_t k = 0; k < K; ++k) sum += y[r * K + k] = kept[k] ? blocks::exp(row[k] - highest) : 0.0f;
    for (int64_t k = 0; k < K; ++k) y[r * K + k] /= sum;
  }
}
