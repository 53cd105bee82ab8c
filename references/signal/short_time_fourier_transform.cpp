// SPDX-License-Identifier: Apache-2.0
// Sixteen frames at a time, whose numbers lie side by side in the transform and in the result.
#include "blocks/fourier.h"

#include <algorithm>
#include <numbers>
#include <vector>

#include "kernel.h"

namespace {

constexpr int64_t length = 256, bins = length / 2 + 1, step = 64, window_length = 200, lanes = 16;

std::vector<float> hann_window() {
  std::vector<float> window(length);
  for (int64_t i = 0; i < window_length; ++i)
    window[(length - window_length) / 2 + i] =
        static_cast<float>(0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(i) / window_length));
  return window;
}

int64_t reflected(int64_t i, int64_t count) { return i < 0 ? -i : i < count ? i : 2 * (count - 1) - i; }

}  // namespace

void short_time_fourier_transform(const float* x, float* y, int64_t B, int64_t F) {
  const std::vector<float> window = hann_window();
  const blocks::Numbers roots = blocks::roots_of_unity(length);
  const int64_t samples = step * F, frames = F + 1;
#pragma omp parallel
  {
    blocks::Numbers z(length * lanes), room(length * lanes);
#pragma omp for collapse(2) schedule(static)
    for (int64_t b = 0; b < B; ++b)
      for (int64_t first = 0; first < frames; first += lanes) {
        const float* signal = x + b * samples;
        const int64_t count = std::min(lanes, frames - first);
        for (int64_t i = 0; i < length; ++i)
          for (int64_t lane = 0; lane < count; ++lane)
            z.real[i * lanes + lane] = window[i] * signal[reflected((first + lane) * step - length / 2 + i, samples)];
        std::fill(z.imaginary.begin(), z.imaginary.end(), 0.0f);
        blocks::transform(z, room, length, lanes, roots);
        for (int64_t k = 0; k < bins; ++k) {
          float* to = y + ((b * bins + k) * frames + first) * 2;
          for (int64_t lane = 0; lane < count; ++lane) {
            to[2 * lane] = z.real[k * lanes + lane];
            to[2 * lane + 1] = z.imaginary[k * lanes + lane];
          }
        }
      }
  }
}
