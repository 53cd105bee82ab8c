// SPDX-License-Identifier: Apache-2.0
// A row becomes float32 once; the variance is that of the differences from the mean.
#include <cmath>
#include <vector>

#include "kernel.h"

#include "blocks/bfloat16.h"

extern "C" void layer_norm_bfloat16_with_statistics(const bfloat16* x, const bfloat16* weight, const bfloat16* bias, bfloat16* y, float* mean,
                                                    float* rstd, int64_t N, int64_t C) {
  const std::vector<float> weights(weight, weight + C), biases(bias, bias + C);
#pragma omp parallel
  {
    std::vector<float> row(C);
#pragma omp for
    for (int64_t n = 0; n < N; ++n) {
      float sum = 0, squares = 0;
      for (int64_t c = 0; c < C; ++c) row[c] = blocks::load(x[n * C + c]);
#pragma omp simd reduction(+ : sum)
      for (int64_t c = 0; c < C; ++c) sum += row[c];
      const float middle = sum / static_cast<float>(C);
#pragma omp simd reduction(+ : squares)
      for (int64_t c = 0; c < C; ++c) squares += (row[c] - middle) * (row[c] - middle);
      const float scale = 1 / std::sqrt(squares / static_cast<float>(C) + 1e-5f);
      for (int64_t c = 0; c < C; ++c) blocks::store((row[c] - middle) * scale * weights[c] + biases[c], y[n * C + c]);
      mean[n] = middle;
      rstd[n] = scale;
    }
  }
}
