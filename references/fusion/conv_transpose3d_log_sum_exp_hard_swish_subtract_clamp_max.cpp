// SPDX-License-Identifier: Apache-2.0
// The transposed convolution first, then the sums of some positions at a time.
#include "blocks/vector_math.h"
#include "blocks/convolution.h"
#include "blocks/softmax.h"

#include <algorithm>
#include <vector>

#include "kernel.h"

namespace {

float sigmoid(float z) { return 1 / (1 + blocks::exp(-z)); }

}  // namespace

extern "C" void conv_transpose3d_log_sum_exp_hard_swish_subtract_clamp_max(const float* x, const float* w, const float* b, const float* v,
                                                                           float* y, int64_t N, int64_t C, int64_t D, int64_t H, int64_t W,
                                                                           int64_t O) {
  const int64_t OD = 2 * D - 1, OH = 2 * H - 1, OW = 2 * W - 1, size = OD * OH * OW;
  std::vector<float> z(N * O * size);
  const blocks::Axis depth{OD, 3, D, 2, 1}, height{OH, 3, H, 2, 1}, width{OW, 3, W, 2, 1};
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .depth = depth, .height = height, .width = width}, x, w, b, z.data());
#pragma omp parallel for collapse(2)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t i = 0; i < size; i += blocks::kNeighbours) blocks::log_sum_exp(&z[n * O * size + i], O, size, std::min(blocks::kNeighbours, size - i), y + n * size + i);
#pragma omp parallel for
  for (int64_t i = 0; i < N * size; ++i) y[i] = std::clamp(y[i] * sigmoid(y[i] + 3) / 6 - v[0], -1.0f, 1.0f);
}
