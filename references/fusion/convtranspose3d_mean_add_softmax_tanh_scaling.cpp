// SPDX-License-Identifier: Apache-2.0
// The mean over the depth comes before the transposed convolution: the first taps along the depth give to the result all images but the first,
// the second ones all, the third ones all but the last. What is left is a convolution of three sums for each channel with turned weights.
#include "blocks/vector_math.h"
#include "blocks/convolution.h"
#include "blocks/softmax.h"

#include <algorithm>
#include <vector>

#include "kernel.h"

extern "C" void convtranspose3d_mean_add_softmax_tanh_scaling(const float* x, const float* w, const float* b, const float* v, float* y,
                                                              int64_t N, int64_t C, int64_t D, int64_t H, int64_t W, int64_t O) {
  const int64_t area = H * W;
  std::vector<float> means(N * C * 3 * area), weights(O * C * 27), bias(O);
#pragma omp parallel for
  for (int64_t i = 0; i < N * C * 3; ++i) {
    std::vector<double> sum(area);
    for (int64_t d = i % 3 == 0; d < D - (i % 3 == 2); ++d)
      for (int64_t j = 0; j < area; ++j) sum[j] += x[(i / 3 * D + d) * area + j];
    for (int64_t j = 0; j < area; ++j) means[i * area + j] = static_cast<float>(sum[j] / D);
  }
  for (int64_t i = 0; i < O * C * 3; ++i) {
    const float* taps = w + ((i / 3 % C * O + i / (3 * C)) * 3 + i % 3) * 9;
    std::reverse_copy(taps, taps + 9, &weights[i * 9]);
  }
  for (int64_t o = 0; o < O; ++o) bias[o] = b[o] + v[o];
  const blocks::Axis height{H, 3, H, 1, 1}, width{W, 3, W, 1, 1};
  blocks::convolve({.N = N, .C = 3 * C, .O = O, .height = height, .width = width}, means.data(), weights.data(), bias.data(), y);
#pragma omp parallel for collapse(2)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t i = 0; i < area; i += blocks::kNeighbours) blocks::softmax(y + n * O * area + i, O, area, std::min(blocks::kNeighbours, area - i));
#pragma omp parallel for
  for (int64_t i = 0; i < N * O * area; ++i) y[i] = 2 * blocks::tanh(y[i]);
}
