// SPDX-License-Identifier: Apache-2.0
// A channel is copied with its padding, which stays zero from channel to channel; then each output row is one vectorised pass over three
// rows of the copy, with the nine weights in registers.
#include <algorithm>
#include <vector>

#include "kernel.h"

extern "C" void conv_depthwise_2d_padded_bias(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t H,
                                              int64_t W) {
  const int64_t pitch = W + 2;
#pragma omp parallel
  {
    std::vector<float> padded((H + 2) * pitch);
#pragma omp for schedule(static)
    for (int64_t plane = 0; plane < N * C; ++plane) {
      for (int64_t h = 0; h < H; ++h) std::copy_n(x + (plane * H + h) * W, W, &padded[(h + 1) * pitch + 1]);
      const float *k = w + plane % C * 9, bias = b[plane % C];
      for (int64_t h = 0; h < H; ++h) {
        const float *top = &padded[h * pitch], *middle = top + pitch, *bottom = middle + pitch;
        float* out = y + (plane * H + h) * W;
#pragma omp simd
        for (int64_t i = 0; i < W; ++i) {
          const float upper = k[0] * top[i] + k[1] * top[i + 1] + k[2] * top[i + 2];
          const float centre = k[3] * middle[i] + k[4] * middle[i + 1] + k[5] * middle[i + 2];
          const float lower = k[6] * bottom[i] + k[7] * bottom[i + 1] + k[8] * bottom[i + 2];
          out[i] = upper + centre + lower + bias;
        }
      }
    }
  }
}
