// SPDX-License-Identifier: Apache-2.0
// Exponentials are computed once, into y, and serve both results. The mean of a softmax is 1 / C.
#include "blocks/vector_math.h"

#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void cross_entropy_and_normalized_softmax(const float* x, const int64_t* target, float* loss, float* y, int64_t N, int64_t C) {
  std::vector<float> losses(N);
  const float count = static_cast<float>(C);
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    const float* row = x + n * C;
    float* to = y + n * C;
    float largest = -INFINITY, sum = 0, squares = 0;
    for (int64_t c = 0; c < C; ++c) largest = row[c] > largest || std::isnan(row[c]) ? row[c] : largest;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < C; ++c) sum += to[c] = blocks::exp(row[c] - largest);
    losses[n] = blocks::log(sum) - (row[target[n]] - largest);
    const float mean = 1 / count;
#pragma omp simd reduction(+ : squares)
    for (int64_t c = 0; c < C; ++c) {
      to[c] = to[c] / sum - mean;
      squares += to[c] * to[c];
    }
    const float root = std::sqrt(squares / count + 1e-5f);
    for (int64_t c = 0; c < C; ++c) to[c] /= root;
  }
  float all = 0;
  for (const float each : losses) all += each;
  *loss = all / static_cast<float>(N);
}
