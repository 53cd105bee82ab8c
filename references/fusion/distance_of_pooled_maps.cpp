// SPDX-License-Identifier: Apache-2.0
// The mean of a difference is the difference of the means: one pass over both maps.
#include <cmath>

#include "kernel.h"

extern "C" void distance_of_pooled_maps(const float* x, const float* z, float* y, int64_t N, int64_t C, int64_t A, int64_t P, int64_t B,
                                        int64_t Q) {
  const int64_t width = B * Q;
  const float size = static_cast<float>(A * B);
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    float squares = 0;
    for (int64_t block_row = n * C * P; block_row < (n + 1) * C * P; ++block_row)
      for (int64_t q = 0; q < Q; ++q) {
        float sum = 0;
        for (int64_t a = 0; a < A; ++a) {
          const int64_t at = (block_row * A + a) * width + q * B;
          for (int64_t b = 0; b < B; ++b) sum += x[at + b] - z[at + b];
        }
        const float mean = sum / size;
        squares += mean * mean;
      }
    y[n] = std::sqrt(squares) + 0.001f;
  }
}
