// SPDX-License-Identifier: Apache-2.0
// By spectra: those of the rows times that of the filter, transformed back. The way back is the way there between conjugates.
#include "blocks/fourier.h"
#include "blocks/lanes.h"

#include <algorithm>

#include "kernel.h"

namespace {

constexpr int64_t lanes = blocks::kTile;

blocks::Numbers filter_spectrum(const float* h, int64_t N, const blocks::Numbers& roots) {
  blocks::Numbers spectrum(N), room(N);
  std::copy_n(h, N, spectrum.real.data());
  blocks::transform(spectrum, room, N, 1, roots);
  return spectrum;
}

}  // namespace

void circular_convolution(const float* x, const float* h, float* y, int64_t B, int64_t N) {
  const blocks::Numbers roots = blocks::roots_of_unity(N), filter = filter_spectrum(h, N, roots);
  const float scale = 1 / static_cast<float>(N);
#pragma omp parallel
  {
    blocks::Numbers z(N * lanes), room(N * lanes);
    const auto number = [&](int64_t n) { return &z.real[n * lanes]; };
#pragma omp for schedule(static)
    for (int64_t b = 0; b < B; b += lanes) {
      const int64_t rows = std::min(lanes, B - b);
      blocks::to_lanes(x + b * N, N, rows, N, number);
      std::fill(z.imaginary.begin(), z.imaginary.end(), 0.0f);
      blocks::transform(z, room, N, lanes, roots);
      for (int64_t k = 0; k < N; ++k) {
        float *r = &z.real[k * lanes], *i = &z.imaginary[k * lanes];
        const float c = filter.real[k], s = filter.imaginary[k];
#pragma omp simd
        for (int64_t lane = 0; lane < lanes; ++lane) {
          const float real = r[lane] * c - i[lane] * s;
          i[lane] = -(r[lane] * s + i[lane] * c);
          r[lane] = real;
        }
      }
      blocks::transform(z, room, N, lanes, roots);
      for (float& sum : z.real) sum *= scale;
      blocks::from_lanes(number, rows, N, y + b * N, N);
    }
  }
}
