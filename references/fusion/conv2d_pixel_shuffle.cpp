// SPDX-License-Identifier: Apache-2.0
// A row of one channel of the convolution at a time, which then goes to every R-th pixel of an output row.
#include <vector>

#include "kernel.h"

extern "C" void conv2d_pixel_shuffle(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t H, int64_t W,
                                     int64_t M, int64_t R) {
  const int64_t rows = H - 2, columns = W - 2, channels = M * R * R;
#pragma omp parallel for collapse(2)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t channel = 0; channel < channels; ++channel) {
      const int64_t m = channel / (R * R), i = channel / R % R, j = channel % R;
      std::vector<float> sums(columns);
      for (int64_t h = 0; h < rows; ++h) {
        for (float& sum : sums) sum = b[channel];
        for (int64_t c = 0; c < C; ++c)
          for (int64_t p = 0; p < 3; ++p) {
            const float* in = x + ((n * C + c) * H + h + p) * W;
            const float* k = w + ((channel * C + c) * 3 + p) * 3;
            float* out = sums.data();
#pragma omp simd
            for (int64_t o = 0; o < columns; ++o) out[o] += k[0] * in[o] + k[1] * in[o + 1] + k[2] * in[o + 2];
          }
        float* out = y + ((n * M + m) * R * rows + h * R + i) * R * columns + j;
        for (int64_t o = 0; o < columns; ++o) out[o * R] = sums[o];
      }
    }
}
