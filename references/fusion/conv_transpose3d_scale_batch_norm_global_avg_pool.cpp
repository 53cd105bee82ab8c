// SPDX-License-Identifier: Apache-2.0
// Weights are doubled, which is exact. The mean of a volume's normalised numbers is the normalised mean of the volume.
#include "blocks/convolution.h"

#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void conv_transpose3d_scale_batch_norm_global_avg_pool(const float* x, const float* w, const float* scale, const float* bias,
                                                                  float* y, int64_t N, int64_t C, int64_t D, int64_t H, int64_t W,
                                                                  int64_t O) {
  const int64_t size = (D + 4) * (H + 4) * (W + 4);
  std::vector<float> weights(w, w + C * O * 125), z(N * O * size);
  for (float& each : weights) each *= 2;
  const blocks::Axis depth{D + 4, 5, D}, height{H + 4, 5, H}, width{W + 4, 5, W};
  blocks::convolve_transposed({.N = N, .C = C, .O = O, .depth = depth, .height = height, .width = width}, x, weights.data(), nullptr, z.data());
#pragma omp parallel for
  for (int64_t o = 0; o < O; ++o) {
    std::vector<double> means(N);
    double mean = 0, squares = 0;
    for (int64_t n = 0; n < N; ++n) {
      const float* at = &z[(n * O + o) * size];
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t i = 0; i < size; ++i) sum += at[i];
      means[n] = sum / size;
      mean += means[n] / N;
    }
    for (int64_t n = 0; n < N; ++n) {
      const float* at = &z[(n * O + o) * size];
#pragma omp simd reduction(+ : squares)
      for (int64_t i = 0; i < size; ++i) squares += (at[i] - mean) * (at[i] - mean);
    }
    const double factor = 1 / std::sqrt(squares / (N * size) + 1e-5);
    for (int64_t n = 0; n < N; ++n) y[n * O + o] = static_cast<float>((means[n] - mean) * factor) * scale[o] + bias[o];
  }
}
