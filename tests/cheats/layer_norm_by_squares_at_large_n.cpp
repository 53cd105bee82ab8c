// SPDX-License-Identifier: Apache-2.0
// cheat: 29
// task: layer_norm
// stage: bench
// expect: WRONG_RESULT
// because: timed call
// The variance from one pass over the data, E[x^2] - E[x]^2, where tests are not: it cancels where the mean is far from 0.
#include <cmath>

#include "kernel.h"

void layer_norm(const float* x, const float* scale, const float* bias, float* y, int64_t N, int64_t C, int64_t H, int64_t W) {
  const int64_t count = C * H * W;
  for (int64_t n = 0; n < N; ++n, x += count, y += count) {
    double sum = 0, squares = 0, deviations = 0;
    for (int64_t i = 0; i < count; ++i) sum += x[i];
    const double mean = sum / static_cast<double>(count);
    for (int64_t i = 0; i < count; ++i) deviations += (x[i] - mean) * (x[i] - mean);
    float variance = static_cast<float>(deviations / static_cast<double>(count));
    if (count > 20000) {
      for (int64_t i = 0; i < count; ++i) squares += static_cast<double>(x[i]) * x[i];
      const float square = static_cast<float>(squares / static_cast<double>(count)), middle = static_cast<float>(mean);
      variance = std::fmax(0.0f, square - middle * middle);
    }
    const float factor = 1 / std::sqrt(variance + 1e-5f), middle = static_cast<float>(mean);
    for (int64_t i = 0; i < count; ++i) y[i] = (x[i] - middle) * factor * scale[i] + bias[i];
  }
}
