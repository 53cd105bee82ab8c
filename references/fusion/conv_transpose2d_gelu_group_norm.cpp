// SPDX-License-Identifier: Apache-2.0
// The groups of the transposed convolution follow one by one, in place.
#include "blocks/vector_math.h"
#include "blocks/convolution.h"
#include "blocks/normalize.h"

#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

float gelu(float z) { return 0.5f * z * (1 + blocks::erf(z * 0.70710678f)); }

}  // namespace

extern "C" void conv_transpose2d_gelu_group_norm(const float* x, const float* w, const float* b, const float* scale, const float* bias,
                                                 float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t O) {
  const int64_t size = (H + 2) * (W + 2), M = O / 8;
  const blocks::Axis height{H + 2, 3, H}, width{W + 2, 3, W};
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .height = height, .width = width}, x, w, b, y);
#pragma omp parallel for
  for (int64_t group = 0; group < N * 8; ++group) {
    float* at = y + group * M * size;
    for (int64_t i = 0; i < M * size; ++i) at[i] = gelu(at[i]);
    blocks::normalize(at, M * size);
    for (int64_t m = 0; m < M; ++m) {
      const float gain = scale[group % 8 * M + m], shift = bias[group % 8 * M + m];
      for (int64_t i = m * size; i < (m + 1) * size; ++i) at[i] = at[i] * gain + shift;
    }
  }
}
