// SPDX-License-Identifier: Apache-2.0
// A radix-2 transform of each frame, in place after the samples were put in bit-reversed order.
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

#include "kernel.h"

namespace {

constexpr int64_t length = 256, bins = length / 2 + 1, step = 64, window_length = 200;

struct Tables {
  std::array<std::complex<float>, length / 2> turn;
  std::array<int64_t, length> reversed{};
  std::array<float, length> window{};

  Tables() {
    for (int64_t k = 0; k < length / 2; ++k) {
      const double angle = -2 * std::numbers::pi * static_cast<double>(k) / length;
      turn[k] = {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
    }
    for (int64_t i = 1; i < length; ++i) reversed[i] = reversed[i / 2] / 2 + i % 2 * (length / 2);
    for (int64_t i = 0; i < window_length; ++i)
      window[(length - window_length) / 2 + i] =
          static_cast<float>(0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(i) / window_length));
  }
};

void transform(const Tables& tables, std::complex<float>* z) {
  for (int64_t half = 1; half < length; half *= 2)
    for (int64_t first = 0; first < length; first += 2 * half)
      for (int64_t k = 0; k < half; ++k) {
        const std::complex<float> turn = tables.turn[k * (length / 2 / half)], from = z[first + half + k];
        const std::complex<float> other = {turn.real() * from.real() - turn.imag() * from.imag(),
                                           turn.real() * from.imag() + turn.imag() * from.real()};
        z[first + half + k] = z[first + k] - other;
        z[first + k] += other;
      }
}

int64_t reflected(int64_t i, int64_t count) { return i < 0 ? -i : i < count ? i : 2 * (count - 1) - i; }

}  // namespace

void short_time_fourier_transform(const float* x, float* y, int64_t B, int64_t F) {
  const Tables tables;
  const int64_t samples = step * F, frames = F + 1;
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < B * frames; ++n) {
    const float* signal = x + n / frames * samples;
    const int64_t frame = n % frames;
    std::array<std::complex<float>, length> z;
    for (int64_t i = 0; i < length; ++i)
      z[tables.reversed[i]] = tables.window[i] * signal[reflected(frame * step - length / 2 + i, samples)];
    transform(tables, z.data());
    float* to = y + (n / frames * bins * frames + frame) * 2;
    for (int64_t k = 0; k < bins; ++k) {
      to[k * frames * 2] = z[k].real();
      to[k * frames * 2 + 1] = z[k].imag();
    }
  }
}
