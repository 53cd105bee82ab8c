// SPDX-License-Identifier: Apache-2.0
// The transposed convolution first, then the rest in place.
#include "blocks/vector_math.h"
#include "blocks/convolution.h"

#include <algorithm>
#include <cmath>

#include "kernel.h"

namespace {

float mish(float z) { return z * blocks::tanh(std::max(z, 0.0f) + blocks::log1p_of_unit(blocks::exp(-std::fabs(z)))); }

}  // namespace

extern "C" void conv_transpose2d_mish_add_hardtanh_scaling(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C,
                                                           int64_t H, int64_t W, int64_t O) {
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .height = {2 * H, 3, H, 2, 1}, .width = {2 * W, 3, W, 2, 1}}, x, w, b, y);
#pragma omp parallel for
  for (int64_t i = 0; i < N * O * 4 * H * W; ++i) y[i] = 2 * std::min(mish(y[i]) + 0.5f, 1.0f);
}
