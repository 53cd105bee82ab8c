// SPDX-License-Identifier: Apache-2.0
// Reads the B channels that make a row of blocks side by side, and writes whole rows.
#include "kernel.h"

extern "C" void pixel_shuffle(const float* x, float* y, int64_t N, int64_t C, int64_t B, int64_t H, int64_t W) {
  const int64_t plane = H * W;
#pragma omp parallel for collapse(2)
  for (int64_t nc = 0; nc < N * C; ++nc)
    for (int64_t row = 0; row < B * H; ++row) {
      const int64_t h = row / B, i = row % B;
      const float* in = x + (nc * B * B + i * B) * plane + h * W;
      float* out = y + (nc * B * H + row) * B * W;
      for (int64_t w = 0; w < W; ++w)
        for (int64_t j = 0; j < B; ++j) out[w * B + j] = in[j * plane + w];
    }
}
