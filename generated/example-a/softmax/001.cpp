#include "kernel.h"

#include <algorithm>
#include <cmath>

// Numerically stable softmax over the last dimension, one row per OpenMP iteration.
extern "C" void softmax(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* row = x + n * C;
    float* out = y + n * C;

    const float row_max = *std::max_element(row, row + C);

    double sum = 0.0;
    for (int64_t c = 0; c < C; ++c) {
      out[c] = std::exp(row[c] - row_max);
      sum += out[c];
    }

    const float scale = static_cast<float>(1.0 / sum);
    for (int64_t c = 0; c < C; ++c) out[c] *= scale;
  }
}
