// SPDX-License-Identifier: Apache-2.0
// Two passes over a channel for its statistics, one to normalise it.
#include <cmath>

#include "kernel.h"

extern "C" void batch_norm_in_place(const float* x, const float* scale, const float* bias, float* running_mean, float* running_var, float* y,
                                    int64_t N, int64_t C, int64_t L) {
#pragma omp parallel for
  for (int64_t c = 0; c < C; ++c) {
    const double count = static_cast<double>(N) * L;
    double sum = 0, squares = 0;
    for (int64_t n = 0; n < N; ++n) {
      const float* row = x + (n * C + c) * L;
#pragma omp simd reduction(+ : sum)
      for (int64_t i = 0; i < L; ++i) sum += row[i];
    }
    const double mean = sum / count;
    for (int64_t n = 0; n < N; ++n) {
      const float* row = x + (n * C + c) * L;
#pragma omp simd reduction(+ : squares)
      for (int64_t i = 0; i < L; ++i) squares += (row[i] - mean) * (row[i] - mean);
    }
    const double variance = squares / count;
    const auto factor = static_cast<float>(1 / std::sqrt(variance + 1e-5));
    const auto centre = static_cast<float>(mean);
    for (int64_t n = 0; n < N; ++n) {
      const int64_t begin = (n * C + c) * L;
#pragma omp simd
      for (int64_t i = begin; i < begin + L; ++i) y[i] = (x[i] - centre) * factor * scale[c] + bias[c];
    }
    running_mean[c] = 0.875f * running_mean[c] + 0.125f * centre;
    running_var[c] = 0.875f * running_var[c] + 0.125f * static_cast<float>(variance);
  }
}
