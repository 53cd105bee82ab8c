// SPDX-License-Identifier: Apache-2.0
// The convolution first, then its images one by one.
#include "blocks/vector_math.h"
#include "blocks/convolution.h"

#include <vector>

#include "kernel.h"

namespace {

float gelu(float z) { return 0.5f * z * (1 + blocks::erf(z * 0.70710678f)); }

}  // namespace

extern "C" void conv2d_gelu_global_avg_pool(const float* x, const float* w, const float* b, float* y, int64_t N, int64_t C, int64_t H,
                                            int64_t W, int64_t O) {
  const int64_t size = (H - 2) * (W - 2);
  std::vector<float> z(N * O * size);
  blocks::convolve({.N = N, .C = C, .O = O, .height = {H, 3, H - 2}, .width = {W, 3, W - 2}}, x, w, b, z.data());
#pragma omp parallel for
  for (int64_t i = 0; i < N * O; ++i) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t j = i * size; j < (i + 1) * size; ++j) sum += gelu(z[j]);
    y[i] = static_cast<float>(sum / size);
  }
}
