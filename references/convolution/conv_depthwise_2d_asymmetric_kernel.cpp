// SPDX-License-Identifier: Apache-2.0
// A few output rows at a time share the input rows between them, with the 21 weights in registers.
#include "kernel.h"

namespace {

constexpr int64_t channels = 32, height = 3, width = 7, some = 4;

/// `Rows` output rows from the first of the input rows on that they read.
template <int64_t Rows>
void convolve_rows(const float* in, int64_t W, const float* k, float* out, int64_t OW) {
#pragma omp simd
  for (int64_t i = 0; i < OW; ++i) {
    float sum[Rows] = {};
#pragma GCC unroll 6
    for (int64_t r = 0; r < Rows + height - 1; ++r)
#pragma GCC unroll 7
      for (int64_t kw = 0; kw < width; ++kw) {
        const float value = in[r * W + i + kw];
#pragma GCC unroll 4
        for (int64_t h = 0; h < Rows; ++h)
          if (r >= h && r < h + height) sum[h] += k[(r - h) * width + kw] * value;
      }
#pragma GCC unroll 4
    for (int64_t h = 0; h < Rows; ++h) out[h * OW + i] = sum[h];
  }
}

}  // namespace

extern "C" void conv_depthwise_2d_asymmetric_kernel(const float* x, const float* w, float* y, int64_t N, int64_t H,
                                                    int64_t W, int64_t OH, int64_t OW) {
#pragma omp parallel for schedule(static)
  for (int64_t plane = 0; plane < N * channels; ++plane) {
    const float *k = w + plane % channels * height * width, *in = x + plane * H * W;
    float* out = y + plane * OH * OW;
    int64_t h = 0;
    for (; h + some <= OH; h += some) convolve_rows<some>(in + h * W, W, k, out + h * OW, OW);
    for (; h < OH; ++h) convolve_rows<1>(in + h * W, W, k, out + h * OW, OW);
  }
}
