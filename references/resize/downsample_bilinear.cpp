// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void downsample_bilinear(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t OH, int64_t OW) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t plane = 0; plane < N * C; ++plane)
    for (int64_t h = 0; h < OH; ++h) {
      const float* upper = x + (plane * H + 4 * h + 1) * W + 1;
      const float* lower = upper + W;
      float* out = y + (plane * OH + h) * OW;
      for (int64_t w = 0; w < OW; ++w)
        out[w] = 0.25f * upper[4 * w] + 0.25f * upper[4 * w + 1] + (0.25f * lower[4 * w] + 0.25f * lower[4 * w + 1]);
    }
}
