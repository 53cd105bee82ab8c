// SPDX-License-Identifier: Apache-2.0
// Where x is far from 0 sigmoids are equal that x are not, so that the argmax of x is not always right. The
// place is looked for only in blocks whose largest sigmoid beats all before them.
#include "blocks/vector_math.h"

#include <algorithm>

#include "kernel.h"

extern "C" void argmax_of_sigmoid(const float* x, float* largest, int64_t* place, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    constexpr int64_t block = 256;
    float sigmoid[block], highest = -1;
    int64_t best = 0;
    for (int64_t first = 0; first < C; first += block) {
      const int64_t count = std::min(block, C - first);
      float top = -1;
#pragma omp simd reduction(max : top)
      for (int64_t i = 0; i < count; ++i) {
        sigmoid[i] = 1 / (1 + blocks::exp(-x[n * C + first + i]));
        top = sigmoid[i] > top ? sigmoid[i] : top;
      }
      if (top > highest) {
        highest = top;
        best = first + (std::find(sigmoid, sigmoid + count, top) - sigmoid);
      }
    }
    largest[n] = highest;
    place[n] = best;
  }
}
