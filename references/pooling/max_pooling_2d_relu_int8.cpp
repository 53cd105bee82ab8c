// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

void max_pooling_2d_relu_int8(const int8_t* x, int8_t* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t P, int64_t Q) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t n = 0; n < N * C; ++n)
    for (int64_t p = 0; p < P; ++p) {
      const int8_t* upper = x + (n * H + 2 * p) * W;
      const int8_t* lower = upper + W;
      int8_t* out = y + (n * P + p) * Q;
      for (int64_t q = 0; q < Q; ++q) {
        const int8_t above = std::max(upper[2 * q], upper[2 * q + 1]);
        const int8_t below = std::max(lower[2 * q], lower[2 * q + 1]);
        out[q] = std::max<int8_t>(0, std::max(above, below));
      }
    }
}
