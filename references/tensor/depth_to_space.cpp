// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void depth_to_space(const float* x, float* y, int64_t N, int64_t, int64_t H, int64_t W, int64_t CO, int64_t, int64_t) {
  constexpr int64_t block = 4;
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t plane = 0; plane < N * CO; ++plane)
    for (int64_t h = 0; h < H; ++h)
      for (int64_t i = 0; i < block; ++i) {
        float* out = y + ((plane * H + h) * block + i) * W * block;
        for (int64_t w = 0; w < W; ++w)
          for (int64_t j = 0; j < block; ++j) out[w * block + j] = x[(((plane * block + i) * block + j) * H + h) * W + w];
      }
}
