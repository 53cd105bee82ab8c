// SPDX-License-Identifier: Apache-2.0
// The convolution first, then its volumes one by one, then softmax over some positions at a time.
#include "blocks/vector_math.h"
#include "blocks/convolution.h"
#include "blocks/softmax.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void conv3d_min_softmax(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t D, int64_t H,
                                   int64_t W, int64_t O) {
  const int64_t area = (H - 2) * (W - 2);
  std::vector<float> z(N * O * (D - 2) * area);
  blocks::convolve({.N = N, .C = C, .O = O, .depth = {D, 3, D - 2}, .height = {H, 3, H - 2}, .width = {W, 3, W - 2}}, x, w, b, z.data());
#pragma omp parallel for
  for (int64_t i = 0; i < N * O; ++i) {
    float* least = y + i * area;
    std::fill_n(least, area, INFINITY);
    for (int64_t d = 0; d < D - 2; ++d)
      for (int64_t j = 0; j < area; ++j) least[j] = std::min(least[j], z[(i * (D - 2) + d) * area + j]);
  }
#pragma omp parallel for collapse(2)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t j = 0; j < area; j += blocks::kNeighbours) blocks::softmax(y + n * O * area + j, O, area, std::min(blocks::kNeighbours, area - j));
}
