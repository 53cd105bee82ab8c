// SPDX-License-Identifier: Apache-2.0
#pragma GCC optimize("no-trapping-math")  // a selection is a maximum of vectors

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernel.h"

#include "blocks/float16.h"

extern "C" void row_maxima_float16(const float16* x, float16* y, int64_t N, int64_t C) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    float largest = -std::numeric_limits<float>::infinity(), not_a_number = 0;
#pragma omp simd reduction(max : largest) reduction(+ : not_a_number)
    for (int64_t c = 0; c < C; ++c) {
      const float number = blocks::load(x[n * C + c]);
      largest = number > largest ? number : largest;
      not_a_number += number == number ? 0 : number;
    }
    y[n] = static_cast<float16>(not_a_number == not_a_number ? largest : not_a_number);
  }
}
