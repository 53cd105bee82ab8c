// SPDX-License-Identifier: Apache-2.0
// Row by row; the exponentials are kept in float32 until they are divided by their sum.
#include "blocks/vector_math.h"

#include <limits>
#include <vector>

#include "kernel.h"

#include "blocks/bfloat16.h"

void softmax_bfloat16(const bfloat16* x, bfloat16* y, int64_t N, int64_t C) {
#pragma omp parallel
  {
    std::vector<float> row(static_cast<std::size_t>(C));
    float* value = row.data();
#pragma omp for schedule(static)
    for (int64_t n = 0; n < N; ++n) {
      float largest = -std::numeric_limits<float>::infinity(), sum = 0.0f;
#pragma omp simd reduction(max : largest)
      for (int64_t c = 0; c < C; ++c) {
        value[c] = blocks::load(x[n * C + c]);
        largest = value[c] > largest ? value[c] : largest;
      }
#pragma omp simd reduction(+ : sum)
      for (int64_t c = 0; c < C; ++c) sum += value[c] = blocks::exp(value[c] - largest);
      const float scale = 1.0f / sum;
      for (int64_t c = 0; c < C; ++c) blocks::store(value[c] * scale, y[n * C + c]);
    }
  }
}
