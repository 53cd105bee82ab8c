// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void normalized_cosine_hinge(const float* x, const float* z, const float* target, float* y, int64_t N, int64_t C) {
  std::vector<float> losses(N);
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    const float *a = x + n * C, *b = z + n * C;
    float dot = 0, xx = 0, zz = 0;
#pragma omp simd reduction(+ : dot, xx, zz)
    for (int64_t c = 0; c < C; ++c) {
      dot += a[c] * b[c];
      xx += a[c] * a[c];
      zz += b[c] * b[c];
    }
    const float loss = 1 - target[n] * (dot / std::max(std::sqrt(xx), 1e-6f) / std::max(std::sqrt(zz), 1e-6f));
    losses[n] = loss < 0 ? 0 : loss;
  }
  float sum = 0;
  for (const float loss : losses) sum += loss;
  *y = sum / static_cast<float>(N);
}
