// SPDX-License-Identifier: Apache-2.0
// The convolution first, then its groups one by one, then the sums of some positions at a time.
#include "blocks/vector_math.h"
#include "blocks/convolution.h"
#include "blocks/normalize.h"
#include "blocks/softmax.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

float hard_swish(float z) { return z * std::clamp(z / 6 + 0.5f, 0.0f, 1.0f); }

}  // namespace

extern "C" void conv2d_group_norm_tanh_hard_swish_residual_add_log_sum_exp(const float* x, const float* w, const float* b,
                                                                           const float* scale, const float* bias, float* y, int64_t N,
                                                                           int64_t C, int64_t H, int64_t W, int64_t O) {
  const int64_t size = (H - 2) * (W - 2), M = O / 16;
  std::vector<float> z(N * O * size);
  blocks::convolve({.N = N, .C = C, .O = O, .height = {H, 3, H - 2}, .width = {W, 3, W - 2}}, x, w, b, z.data());
#pragma omp parallel for
  for (int64_t group = 0; group < N * 16; ++group) {
    float* at = &z[group * M * size];
    std::vector<float> normal(at, at + M * size);
    blocks::normalize(normal.data(), M * size);
    for (int64_t m = 0; m < M; ++m) {
      const float gain = scale[group % 16 * M + m], offset = bias[group % 16 * M + m];
      for (int64_t i = m * size; i < (m + 1) * size; ++i) at[i] += hard_swish(blocks::tanh(normal[i] * gain + offset));
    }
  }
#pragma omp parallel for collapse(2)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t i = 0; i < size; i += blocks::kNeighbours) blocks::log_sum_exp(&z[n * O * size + i], O, size, std::min(blocks::kNeighbours, size - i), y + n * size + i);
}
