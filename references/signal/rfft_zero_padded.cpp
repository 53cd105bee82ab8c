// SPDX-License-Identifier: Apache-2.0
// Even and odd elements of the 2 N are the parts of N complex numbers, whose transform Z has the spectra of both: E of the even ones is
// (Z[k] + conj Z[N - k]) / 2, O of the odd ones (Z[k] - conj Z[N - k]) / 2i, and E + w O the result (w is the k-th root of unity).
#include "blocks/fourier.h"
#include "blocks/lanes.h"

#include <algorithm>

#include "kernel.h"

void rfft_zero_padded(const float* x, float* real_part, float* imaginary_part, int64_t B, int64_t C, int64_t N) {
  constexpr int64_t lanes = blocks::kTile;
  const blocks::Numbers roots = blocks::roots_of_unity(N), turns = blocks::roots_of_unity(2 * N);
  const int64_t bins = N + 1;
  const float scale = 0.5f / static_cast<float>(N);
#pragma omp parallel
  {
    blocks::Numbers z(N * lanes), room(N * lanes), spectrum(bins * lanes);
#pragma omp for schedule(static)
    for (int64_t row = 0; row < B * C; row += lanes) {
      const int64_t rows = std::min(lanes, B * C - row);
      std::fill(z.real.begin(), z.real.end(), 0.0f);
      std::fill(z.imaginary.begin(), z.imaginary.end(), 0.0f);
      blocks::to_lanes(x + row * N, N, rows, N, [&](int64_t j) { return &(j % 2 == 0 ? z.real : z.imaginary)[j / 2 * lanes]; });
      blocks::transform(z, room, N, lanes, roots);
      for (int64_t k = 0; k < bins; ++k) {
        const float *r = &z.real[k % N * lanes], *i = &z.imaginary[k % N * lanes];
        const float *other_r = &z.real[(N - k) % N * lanes], *other_i = &z.imaginary[(N - k) % N * lanes];
        float *to_r = &spectrum.real[k * lanes], *to_i = &spectrum.imaginary[k * lanes];
        const float c = k < N ? turns.real[k] : -1.0f, s = k < N ? turns.imaginary[k] : 0.0f;
#pragma omp simd
        for (int64_t lane = 0; lane < lanes; ++lane) {
          const float even_r = 0.5f * r[lane] + 0.5f * other_r[lane], even_i = 0.5f * i[lane] - 0.5f * other_i[lane];
          const float odd_r = 0.5f * i[lane] + 0.5f * other_i[lane], odd_i = 0.5f * other_r[lane] - 0.5f * r[lane];
          to_r[lane] = scale * (even_r + c * odd_r - s * odd_i);
          to_i[lane] = scale * (even_i + c * odd_i + s * odd_r);
        }
      }
      blocks::from_lanes([&](int64_t k) { return &spectrum.real[k * lanes]; }, rows, bins, real_part + row * bins, bins);
      blocks::from_lanes([&](int64_t k) { return &spectrum.imaginary[k * lanes]; }, rows, bins, imaginary_part + row * bins, bins);
    }
  }
}
