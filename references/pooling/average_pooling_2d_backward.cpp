// SPDX-License-Identifier: Apache-2.0
// An even row of dx lies in one row of windows, an odd one in two, whose sum is taken first; of columns the same holds.
#include <vector>

#include "kernel.h"

extern "C" void average_pooling_2d_backward(const float* dy, float* dx, int64_t N, int64_t C, int64_t H, int64_t W) {
  const int64_t OH = (H + 1) / 2, OW = (W + 1) / 2;
#pragma omp parallel
  {
    std::vector<float> sums(OW + 1);  // the last is 0
#pragma omp for collapse(2) schedule(static)
    for (int64_t plane = 0; plane < N * C; ++plane)
      for (int64_t h = 0; h < H; ++h) {
        const float* upper = dy + (plane * OH + h / 2) * OW;
        const bool both = h % 2 == 1 && h / 2 + 1 < OH;
        for (int64_t v = 0; v < OW; ++v) sums[v] = (upper[v] + (both ? upper[v + OW] : 0.0f)) * (1.0f / 9);
        float* out = dx + (plane * H + h) * W;
        for (int64_t v = 0; v < W / 2; ++v) {
          out[2 * v] = sums[v];
          out[2 * v + 1] = sums[v] + sums[v + 1];
        }
        if (W % 2 == 1) out[W - 1] = sums[W / 2];
      }
  }
}
