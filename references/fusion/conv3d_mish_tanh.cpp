// SPDX-License-Identifier: Apache-2.0
// The convolution first, then the rest in place.
#include "blocks/vector_math.h"
#include "blocks/convolution.h"

#include <algorithm>
#include <cmath>

#include "kernel.h"

namespace {

float mish(float z) { return z * blocks::tanh(std::max(z, 0.0f) + blocks::log1p_of_unit(blocks::exp(-std::fabs(z)))); }

}  // namespace

extern "C" void conv3d_mish_tanh(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t D, int64_t H,
                                 int64_t W, int64_t O, int64_t OD, int64_t OH, int64_t OW) {
  blocks::convolve({.N = N, .C = C, .O = O, .depth = {D, 3, OD}, .height = {H, 3, OH}, .width = {W, 3, OW}}, x, w, b, y);
#pragma omp parallel for
  for (int64_t i = 0; i < N * O * OD * OH * OW; ++i) y[i] = blocks::tanh(mish(y[i]));
}
