// SPDX-License-Identifier: Apache-2.0
// Each output row is one vectorised pass over three input rows, with the 21 weights in registers.
#include "kernel.h"

extern "C" void conv_depthwise_2d_asymmetric_kernel(const float* x, const float* w, float* y, int64_t N, int64_t H, int64_t W, int64_t OH,
                                                    int64_t OW) {
  constexpr int64_t channels = 32, height = 3, width = 7;
#pragma omp parallel for schedule(static)
  for (int64_t plane = 0; plane < N * channels; ++plane) {
    const float* k = w + plane % channels * height * width;
    for (int64_t h = 0; h < OH; ++h) {
      const float* in = x + (plane * H + h) * W;
      float* out = y + (plane * OH + h) * OW;
#pragma omp simd
      for (int64_t i = 0; i < OW; ++i) {
        float sum = 0;
#pragma GCC unroll 3
        for (int64_t kh = 0; kh < height; ++kh)
#pragma GCC unroll 7
          for (int64_t kw = 0; kw < width; ++kw) sum += k[kh * width + kw] * in[kh * W + i + kw];
        out[i] = sum;
      }
    }
  }
}
