// SPDX-License-Identifier: Apache-2.0
// The transposed convolution first, then the rest in place.
#include "blocks/vector_math.h"
#include "blocks/convolution.h"

#include <algorithm>

#include "kernel.h"

namespace {

float gelu(float z) { return 0.5f * z * (1 + blocks::erf(z * 0.70710678f)); }

}  // namespace

extern "C" void conv_transpose2d_add_min_gelu_multiply(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C,
                                                       int64_t H, int64_t W, int64_t O) {
  const int64_t OH = 2 * H + 2, OW = 2 * W + 2;
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .height = {OH, 4, H, 2}, .width = {OW, 4, W, 2}}, x, w, b, y);
#pragma omp parallel for
  for (int64_t i = 0; i < N * O * OH * OW; ++i) y[i] = 2 * gelu(std::min(y[i] + 0.5f, 0.0f));
}
