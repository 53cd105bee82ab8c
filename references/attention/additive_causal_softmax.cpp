// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include <algorithm>
#include <cmath>

#include "kernel.h"

extern "C" void additive_causal_softmax(const float* x, const float* mask, const float* dy, float* y, float* dx, int64_t B, int64_t S) {
#pragma omp parallel for schedule(dynamic, 16)
  for (int64_t row = 0; row < B * S; ++row) {
    const int64_t seen = row % S + 1;
    const float *from = x + row * S, *added = mask + row / S * S, *gradient = dy + row * S;
    float *to = y + row * S, *out = dx + row * S;
    float largest = -INFINITY, sum = 0, total = 0;
    for (int64_t k = 0; k < seen; ++k) {
      to[k] = from[k] + added[k];
      largest = to[k] > largest || std::isnan(to[k]) ? to[k] : largest;
    }
#pragma omp simd reduction(+ : sum)
    for (int64_t k = 0; k < seen; ++k) sum += to[k] = blocks::exp(to[k] - largest);
#pragma omp simd reduction(+ : total)
    for (int64_t k = 0; k < seen; ++k) {
      to[k] /= sum;
      total += gradient[k] * to[k];
    }
    for (int64_t k = 0; k < seen; ++k) out[k] = to[k] * (gradient[k] - total);
    std::fill(to + seen, to + S, 0.0f);
    std::fill(out + seen, out + S, 0.0f);
  }
}
