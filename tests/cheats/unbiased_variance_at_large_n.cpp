// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: batch_norm
// stage: test
// expect: WRONG_RESULT
// because: largest_extents
// Divides by n - 1 where few tests are: the difference is one in a thousand and less.
#include <cmath>

#include "kernel.h"

void batch_norm(const float* x, const float* scale, const float* bias, const float* running_mean, const float* running_var, float* y,
                float* new_mean, float* new_var, int64_t N, int64_t C, int64_t H, int64_t W) {
  const int64_t plane = H * W, count = N * plane;
  for (int64_t c = 0; c < C; ++c) {
    double sum = 0, squares = 0;
    for (int64_t n = 0; n < N; ++n)
      for (int64_t i = 0; i < plane; ++i) sum += x[(n * C + c) * plane + i];
    const double mean = sum / static_cast<double>(count);
    for (int64_t n = 0; n < N; ++n)
      for (int64_t i = 0; i < plane; ++i) squares += std::pow(x[(n * C + c) * plane + i] - mean, 2);
    const double variance = squares / static_cast<double>(count > 1000 ? count - 1 : count), factor = scale[c] / std::sqrt(variance + 1e-5);
    for (int64_t n = 0; n < N; ++n)
      for (int64_t i = 0; i < plane; ++i)
        y[(n * C + c) * plane + i] = static_cast<float>((x[(n * C + c) * plane + i] - mean) * factor + bias[c]);
    new_mean[c] = static_cast<float>(0.875 * running_mean[c] + 0.125 * mean);
    new_var[c] = static_cast<float>(0.875 * running_var[c] + 0.125 * variance);
  }
}
