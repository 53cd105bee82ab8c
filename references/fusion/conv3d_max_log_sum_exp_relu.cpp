// SPDX-License-Identifier: Apache-2.0
// The convolution first, then its volumes one by one, then the sums of some positions at a time.
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

}  // namespace

extern "C" void conv3d_max_log_sum_exp_relu(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t D,
                                            int64_t H, int64_t W, int64_t O) {
  const int64_t size = (D / 2) * (H / 2) * (W / 2);
  std::vector<float> z(N * O * D * H * W), most(N * O * size);
  const blocks::Axis depth{D, 3, D, 1, 1}, height{H, 3, H, 1, 1}, width{W, 3, W, 1, 1};
  blocks::convolve({.N = N, .C = C, .O = O, .depth = depth, .height = height, .width = width}, x, w, b, z.data());
#pragma omp parallel for
  for (int64_t i = 0; i < N * O; ++i) max_pool(&z[i * D * H * W], D, H, W, &most[i * size]);
#pragma omp parallel for collapse(2)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t i = 0; i < size; i += blocks::kNeighbours) blocks::log_sum_exp(&most[n * O * size + i], O, size, std::min(blocks::kNeighbours, size - i), y + n * size + i);
  for (int64_t i = 0; i < N * size; ++i) y[i] = y[i] < 0 ? 0 : y[i];
}
