// SPDX-License-Identifier: Apache-2.0
// The transposed convolution first, then softmax over some positions at a time, then its images one by one, in place.
#include "blocks/vector_math.h"
#include "blocks/convolution.h"
#include "blocks/softmax.h"

#include <algorithm>
#include <vector>

#include "kernel.h"

namespace {

float sigmoid(float z) { return 1 / (1 + blocks::exp(-z)); }

}  // namespace

extern "C" void convtranspose2d_softmax_biasadd_scaling_sigmoid(const float* x, const float* w, const float* b, const float* v, float* y,
                                                                int64_t N, int64_t C, int64_t H, int64_t W, int64_t O) {
  const int64_t OH = 2 * H + 1, OW = 2 * W + 1, size = OH * OW;
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .height = {OH, 4, H, 2, 1}, .width = {OW, 4, W, 2, 1}}, x, w, b, y);
#pragma omp parallel for collapse(2)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t i = 0; i < size; i += blocks::kNeighbours) blocks::softmax(y + n * O * size + i, O, size, std::min(blocks::kNeighbours, size - i));
#pragma omp parallel for
  for (int64_t i = 0; i < N * O; ++i) {
    const float shift = v[i % O];
    for (int64_t j = i * size; j < (i + 1) * size; ++j) y[j] = sigmoid(2 * (y[j] + shift));
  }
}
