// SPDX-License-Identifier: Apache-2.0
// The convolution first, then the rest in place.
#include "blocks/vector_math.h"
#include "blocks/convolution.h"

#include "kernel.h"

namespace {

// erfc, since 1 + erf(z) loses digits where z is negative.
float gelu(float z) { return 0.5f * z * blocks::erfc(-z * 0.70710678f); }

}  // namespace

extern "C" void gelu_conv2d(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t O,
                            int64_t OH, int64_t OW) {
  blocks::convolve({.N = N, .C = C, .O = O, .height = {H, 3, OH}, .width = {W, 3, OW}}, x, w, b, y);
#pragma omp parallel for
  for (int64_t i = 0; i < N * O * OH * OW; ++i) y[i] = gelu(y[i]);
}
