// SPDX-License-Identifier: Apache-2.0
// The mean of a window of the convolution is a convolution of means of the image: those first, then their convolution with the windows'
// stride as a product of matrices.
#include "blocks/vector_math.h"

#include "blocks/convolution.h"

#include <vector>

#include "kernel.h"

namespace {

/// The mean of each window of 4 by 4, overlapping ones too, of `planes` images: [planes, H - 3, W - 3].
std::vector<float> means_of(const float* x, int64_t planes, int64_t H, int64_t W) {
  const int64_t OH = H - 3, OW = W - 3;
  std::vector<float> mean(planes * OH * OW);
#pragma omp parallel for schedule(static)
  for (int64_t row = 0; row < planes * OH; ++row) {
    const float* from = x + (row / OH * H + row % OH) * W;
    std::vector<float> columns(W);
    constexpr float share = 1.0f / 16;  // taken first: the sum of sixteen may overflow
    for (int64_t i = 0; i < W; ++i)
      columns[i] = (share * from[i] + share * from[W + i]) + (share * from[2 * W + i] + share * from[3 * W + i]);
    for (int64_t i = 0; i < OW; ++i) mean[row * OW + i] = (columns[i] + columns[i + 1]) + (columns[i + 2] + columns[i + 3]);
  }
  return mean;
}

}  // namespace

extern "C" void conv2d_avg_pool_sigmoid_sum(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t H,
                                            int64_t W, int64_t O) {
  const int64_t OH = (H - 2) / 4, OW = (W - 2) / 4, size = O * OH * OW;
  const std::vector<float> means = means_of(x, N * C, H, W);
  std::vector<float> pooled(N * size);
  blocks::convolve({.N = N, .C = C, .O = O, .height = {H - 3, 3, OH, 4}, .width = {W - 3, 3, OW, 4}}, means.data(), w, b, pooled.data());
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = n * size; i < (n + 1) * size; ++i) sum += blocks::sigmoid(pooled[i]);
    y[n] = static_cast<float>(sum);
  }
}
