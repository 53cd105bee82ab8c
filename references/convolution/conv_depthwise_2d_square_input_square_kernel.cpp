// SPDX-License-Identifier: Apache-2.0
// Each output row is one vectorised pass over three input rows, with the nine weights in registers.
#include "kernel.h"

extern "C" void conv_depthwise_2d_square_input_square_kernel(const float* x, const float* w, float* y,
                                                             int64_t N, int64_t H, int64_t W, int64_t OH,
                                                             int64_t OW) {
  constexpr int64_t channels = 64;
#pragma omp parallel for schedule(static)
  for (int64_t plane = 0; plane < N * channels; ++plane) {
    const float* k = w + plane % channels * 9;
    for (int64_t oh = 0; oh < OH; ++oh) {
      const float* top = x + (plane * H + oh) * W;
      const float* middle = top + W;
      const float* bottom = middle + W;
      float* out = y + (plane * OH + oh) * OW;
#pragma omp simd
      for (int64_t i = 0; i < OW; ++i) {
        float upper = k[0] * top[i] + k[1] * top[i + 1] + k[2] * top[i + 2];
        float centre = k[3] * middle[i] + k[4] * middle[i + 1] + k[5] * middle[i + 2];
        float lower = k[6] * bottom[i] + k[7] * bottom[i + 1] + k[8] * bottom[i + 2];
        out[i] = upper + centre + lower;
      }
    }
  }
}
