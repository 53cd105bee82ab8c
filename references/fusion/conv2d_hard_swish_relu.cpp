// SPDX-License-Identifier: Apache-2.0
// The convolution first, then the rest in place.
#include "blocks/convolution.h"

#include <algorithm>

#include "kernel.h"

namespace {

float hard_swish(float z) { return z * std::clamp(z / 6.0f + 0.5f, 0.0f, 1.0f); }

float relu(float z) { return z < 0.0f ? 0.0f : z; }

}  // namespace

extern "C" void conv2d_hard_swish_relu(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t H, int64_t W,
                                       int64_t O, int64_t OH, int64_t OW) {
  blocks::convolve({.N = N, .C = C, .O = O, .height = {H, 3, OH}, .width = {W, 3, OW}}, x, w, b, y);
#pragma omp parallel for simd
  for (int64_t i = 0; i < N * O * OH * OW; ++i) y[i] = relu(hard_swish(y[i]));
}
