// SPDX-License-Identifier: Apache-2.0
// The transposed convolution first, then its volumes one by one, then softmax over some positions at a time.
#include "blocks/vector_math.h"
#include "blocks/convolution.h"
#include "blocks/softmax.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

/// The largest of each whole window of 2 by 2 by 2, side by side, of a volume: [D / 2, H / 2, W / 2].
void max_pool(const float* z, int64_t D, int64_t H, int64_t W, float* most) {
  for (int64_t row = 0; row < (D / 2) * (H / 2); ++row, most += W / 2) {
    std::fill_n(most, W / 2, -INFINITY);
    for (int64_t p = 0; p < 4; ++p) {
      const float* from = z + ((row / (H / 2) * 2 + p / 2) * H + row % (H / 2) * 2 + p % 2) * W;
      for (int64_t i = 0; i < W / 2; ++i) most[i] = std::max(std::max(most[i], from[2 * i]), from[2 * i + 1]);
    }
  }
}

float sigmoid(float z) { return 1 / (1 + blocks::exp(-z)); }

}  // namespace

extern "C" void conv_transpose3d_max_pool_softmax_subtract_swish_max(const float* x, const float* w, const float* b, const float* v,
                                                                     float* y, int64_t N, int64_t C, int64_t D, int64_t H, int64_t W,
                                                                     int64_t O) {
  const int64_t size = D * H * W;
  std::vector<float> z(N * O * 8 * size), most(N * O * size);
  const blocks::Axis depth{2 * D, 3, D, 2, 1}, height{2 * H, 3, H, 2, 1}, width{2 * W, 3, W, 2, 1};
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .depth = depth, .height = height, .width = width}, x, w, b, z.data());
#pragma omp parallel for
  for (int64_t i = 0; i < N * O; ++i) max_pool(&z[i * 8 * size], 2 * D, 2 * H, 2 * W, &most[i * size]);
#pragma omp parallel for collapse(2)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t i = 0; i < size; i += blocks::kNeighbours) {
      const int64_t count = std::min(blocks::kNeighbours, size - i);
      float* probability = &most[n * O * size + i];
      float* largest = y + n * size + i;
      blocks::softmax(probability, O, size, count);
      std::fill_n(largest, count, -INFINITY);
      for (int64_t o = 0; o < O; ++o)
        for (int64_t j = 0; j < count; ++j) {
          const float distance = probability[o * size + j] - v[o];
          largest[j] = std::max(largest[j], distance * sigmoid(distance));
        }
    }
}
