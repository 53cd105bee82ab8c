// SPDX-License-Identifier: Apache-2.0
// Each tap adds a shifted input row to an output row.
#include <algorithm>

#include "kernel.h"

extern "C" void conv_depthwise_2d(const float* x, const float* w, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t P,
                                  int64_t Q) {
  const int64_t rows = H - P + 1, columns = W - Q + 1;
#pragma omp parallel for
  for (int64_t plane = 0; plane < N * C; ++plane)
    for (int64_t h = 0; h < rows; ++h) {
      float* out = y + (plane * rows + h) * columns;
      std::fill_n(out, columns, 0.0f);
      for (int64_t p = 0; p < P; ++p)
        for (int64_t q = 0; q < Q; ++q) {
          const float* in = x + (plane * H + h + p) * W + q;
          const float k = w[(plane % C * P + p) * Q + q];
#pragma omp simd
          for (int64_t o = 0; o < columns; ++o) out[o] += k * in[o];
        }
    }
}
