// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include <limits>

#include "kernel.h"

extern "C" void causal_padded_softmax(const float* x, const bool* mask, float* y, int64_t B, int64_t S) {
#pragma omp parallel for
  for (int64_t r = 0; r < B * S; ++r) {
    const float* row = x + r * S;
    const uint8_t* kept = reinterpret_cast<const uint8_t*>(mask) + r * S;  // GCC has no vectors of bool
    float highest = -std::numeric_limits<float>::infinity(), sum = 0.0f;
#pragma omp simd reduction(max : highest)
    for (int64_t k = 0; k < S; ++k) highest = kept[k] != 0 && row[k] > highest ? row[k] : highest;
#pragma omp simd reduction(+ : sum)
    for (int64_t k = 0; k < S; ++k) sum += y[r * S + k] = kept[k] != 0 ? blocks::exp(row[k] - highest) : 0.0f;
    for (int64_t k = 0; k < S; ++k) y[r * S + k] /= sum;
  }
}
