// SPDX-License-Identifier: Apache-2.0
// The transposed convolution first, then softmax over some positions at a time, in place.
#include "blocks/vector_math.h"
#include "blocks/convolution.h"
#include "blocks/softmax.h"

#include <algorithm>
#include <vector>

#include "kernel.h"

namespace {

float sigmoid(float z) { return 1 / (1 + blocks::exp(-z)); }

}  // namespace

extern "C" void conv_transpose3d_softmax_sigmoid(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t D,
                                                 int64_t H, int64_t W, int64_t O, int64_t OD, int64_t OH, int64_t OW) {
  const blocks::Axis depth{OD, 3, D, 2, 1}, height{OH, 3, H, 2, 1}, width{OW, 3, W, 2, 1};
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .depth = depth, .height = height, .width = width}, x, w, b, y);
  const int64_t size = OD * OH * OW;
#pragma omp parallel for collapse(2)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t i = 0; i < size; i += blocks::kNeighbours) blocks::softmax(y + n * O * size + i, O, size, std::min(blocks::kNeighbours, size - i));
#pragma omp parallel for
  for (int64_t i = 0; i < N * O * size; ++i) y[i] = sigmoid(y[i]);
}
