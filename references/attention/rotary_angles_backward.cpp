// SPDX-License-Identifier: Apache-2.0
#include "blocks/trigonometry.h"

#include <algorithm>

#include "kernel.h"

void rotary_angles_backward(const float* cosine_gradient, const float* sine_gradient, const float* angles, float* angle_gradient, int64_t B,
                            int64_t T, int64_t E) {
  constexpr int64_t run = 1024;
  const int64_t size = B * T * E;
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < size; first += run) {
    const int64_t count = std::min(run, size - first);
    float cos[run], sin[run];
    blocks::cos(angles + first, cos, count);
    blocks::sin(angles + first, sin, count);
    for (int64_t i = 0; i < count; ++i) angle_gradient[first + i] = sine_gradient[first + i] * cos[i] - cosine_gradient[first + i] * sin[i];
  }
}
