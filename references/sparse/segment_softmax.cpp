// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernel.h"

extern "C" void segment_softmax(const float* x, const int64_t* offsets, float* y, int64_t H, int64_t T, int64_t P) {
#pragma omp parallel for
  for (int64_t h = 0; h < H; ++h)
    for (int64_t p = 0; p < P - 1; ++p) {
      const int64_t begin = h * T + offsets[p], end = h * T + offsets[p + 1];
      float highest = -std::numeric_limits<float>::infinity(), sum = 0.0f;
      for (int64_t i = begin; i < end; ++i) highest = std::max(highest, x[i]);
      for (int64_t i = begin; i < end; ++i) sum += y[i] = std::exp(x[i] - highest);
      for (int64_t i = begin; i < end; ++i) y[i] /= sum;
    }
}
