// SPDX-License-Identifier: Apache-2.0
// The convolution first, then its samples one by one, in place.
#include "blocks/vector_math.h"

#include <cmath>

#include "kernel.h"

namespace {

/// The convolution with 3 by 3 taps and a bias, into y [N, O, H - 2, W - 2].
void convolution(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t O) {
  const int64_t rows = H - 2, columns = W - 2;
#pragma omp parallel for
  for (int64_t plane = 0; plane < N * O; ++plane)
    for (int64_t h = 0; h < rows; ++h) {
      float* row = y + (plane * rows + h) * columns;
      for (int64_t i = 0; i < columns; ++i) row[i] = b[plane % O];
      for (int64_t c = 0; c < C; ++c)
        for (int64_t p = 0; p < 3; ++p) {
          const float* in = x + ((plane / O * C + c) * H + h + p) * W;
          const float* k = w + ((plane % O * C + c) * 3 + p) * 3;
#pragma omp simd
          for (int64_t i = 0; i < columns; ++i) row[i] += k[0] * in[i] + k[1] * in[i + 1] + k[2] * in[i + 2];
        }
    }
}

}  // namespace

extern "C" void conv2d_layer_norm_silu(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t H, int64_t W,
                                       int64_t O) {
  const int64_t size = O * (H - 2) * (W - 2);
  convolution(x, w, b, y, N, C, H, W, O);
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    float* z = y + n * size;
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < size; ++i) sum += z[i];
    const double mean = sum / size;
    for (int64_t i = 0; i < size; ++i) squares += (z[i] - mean) * (z[i] - mean);
    const double factor = 1 / std::sqrt(squares / size + 1e-5);
    for (int64_t i = 0; i < size; ++i) {
      const float number = static_cast<float>((z[i] - mean) * factor);
      z[i] = number / (1 + blocks::exp(-number));
    }
  }
}
