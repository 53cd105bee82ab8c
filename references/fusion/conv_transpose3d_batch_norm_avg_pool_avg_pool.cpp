// SPDX-License-Identifier: Apache-2.0
// The transposed convolution first, then its channels one by one: the mean of a window's normalised numbers is the normalised mean of the
// window. Pairs of whole pairs are whole windows of four.
#include "blocks/convolution.h"

#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void conv_transpose3d_batch_norm_avg_pool_avg_pool(const float* x, const float* w, const float* scale, const float* bias,
                                                              float* y, int64_t N, int64_t C, int64_t D, int64_t H, int64_t W, int64_t O) {
  const int64_t ZD = 2 * D - 1, ZH = 2 * H - 1, ZW = 2 * W - 1, size = ZD * ZH * ZW, OD = ZD / 4, OH = ZH / 4, OW = ZW / 4;
  std::vector<float> z(N * O * size);
  const blocks::Axis depth{ZD, 3, D, 2, 1}, height{ZH, 3, H, 2, 1}, width{ZW, 3, W, 2, 1};
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .depth = depth, .height = height, .width = width}, x, w, nullptr, z.data());
#pragma omp parallel for
  for (int64_t o = 0; o < O; ++o) {
    double sum = 0, squares = 0;
    for (int64_t n = 0; n < N; ++n) {
      const float* at = &z[(n * O + o) * size];
#pragma omp simd reduction(+ : sum)
      for (int64_t i = 0; i < size; ++i) sum += at[i];
    }
    const double mean = sum / (N * size);
    for (int64_t n = 0; n < N; ++n) {
      const float* at = &z[(n * O + o) * size];
#pragma omp simd reduction(+ : squares)
      for (int64_t i = 0; i < size; ++i) squares += (at[i] - mean) * (at[i] - mean);
    }
    const double factor = 1 / std::sqrt(squares / (N * size) + 1e-5);
    std::vector<double> window(OW);
    for (int64_t row = 0; row < N * OD * OH; ++row) {
      const int64_t plane = row / (OD * OH) * O + o, d = row / OH % OD, h = row % OH;
      window.assign(OW, 0);
      for (int64_t p = 0; p < 16; ++p) {
        const float* from = &z[((plane * ZD + 4 * d + p / 4) * ZH + 4 * h + p % 4) * ZW];
        for (int64_t i = 0; i < OW; ++i)
          for (int64_t q = 0; q < 4; ++q) window[i] += from[4 * i + q] - mean;
      }
      float* to = y + ((plane * OD + d) * OH + h) * OW;
      for (int64_t i = 0; i < OW; ++i) to[i] = static_cast<float>(window[i] / 64 * factor) * scale[o] + bias[o];
    }
  }
}
