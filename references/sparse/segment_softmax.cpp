// SPDX-License-Identifier: Apache-2.0
// Three passes over each segment, which finds it in cache: maximum, exponentials and their sum, scaling.
#include "blocks/vector_math.h"

#include <limits>

#include "kernel.h"

extern "C" void segment_softmax(const float* x, const int64_t* offsets, float* y, int64_t H, int64_t T, int64_t P) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t h = 0; h < H; ++h)
    for (int64_t p = 0; p < P - 1; ++p) {
      const int64_t begin = h * T + offsets[p], end = h * T + offsets[p + 1];
      float highest = -std::numeric_limits<float>::infinity(), sum = 0;
#pragma omp simd reduction(max : highest)
      for (int64_t i = begin; i < end; ++i) highest = x[i] > highest ? x[i] : highest;
#pragma omp simd reduction(+ : sum)
      for (int64_t i = begin; i < end; ++i) {
        y[i] = blocks::exp(x[i] - highest);
        sum += y[i];
      }
      const float scale = 1 / sum;
#pragma omp simd
      for (int64_t i = begin; i < end; ++i) y[i] *= scale;
    }
}
