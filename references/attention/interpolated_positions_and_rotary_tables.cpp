// SPDX-License-Identifier: Apache-2.0
// Positions of one frame are interpolated along rows of the table first, then along columns, and copied to the other frames. A channel's
// angle belongs to one axis: the tables of the three axes are 0 in the others' channels, so that they can be added.
#include "blocks/trigonometry.h"

#include <algorithm>
#include <vector>

#include "kernel.h"

namespace {

struct Between {
  int64_t first, second;
  float share;  ///< of the second
};

/// Where point i of n, spread evenly over `side` places, lies.
Between between(int64_t i, int64_t n, int64_t side) {
  const int64_t scaled = i * (side - 1), first = scaled / (n - 1);
  return {first, std::min(first + 1, side - 1), static_cast<float>(scaled % (n - 1)) / static_cast<float>(n - 1)};
}

void mix(const float* a, const float* b, float share, float* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = a[i] * (1.0f - share) + b[i] * share;
}

int64_t axis_of(int64_t channel) { return channel < 60 ? channel % 3 : 0; }

/// Cosines and sines [n, C] of the channels of one axis.
struct Turns {
  std::vector<float> cosines, sines;

  Turns(int64_t axis, int64_t n, const float* frequencies, int64_t C) : cosines(n * C), sines(n * C) {
    std::vector<float> angles(n * C);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t c = 0; c < C; ++c) angles[i * C + c] = static_cast<float>(i) * frequencies[c];
    blocks::cos(angles.data(), cosines.data(), n * C);
    blocks::sin(angles.data(), sines.data(), n * C);
    for (int64_t i = 0; i < n * C; ++i)
      if (axis_of(i % C) != axis) cosines[i] = sines[i] = 0;
  }
};

void add_rows(const float* a, const float* b, const float* c, float* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = y[n + i] = a[i] + b[i] + c[i];
}

}  // namespace

extern "C" void interpolated_positions_and_rotary_tables(const float* table, const float* frequencies, float* embedding, float* cosines,
                                                         float* sines, int64_t S, int64_t D, int64_t C, int64_t T, int64_t A, int64_t B) {
  const int64_t height = 2 * A, width = 2 * B, frame = height * width;
  const auto token = [B](int64_t r, int64_t c) { return 4 * (r / 2 * B + c / 2) + 2 * (r % 2) + c % 2; };
  const Turns times(0, T, frequencies, C), rows(1, height, frequencies, C), columns(2, width, frequencies, C);
#pragma omp parallel
  {
    std::vector<float> band(S * D);
#pragma omp for schedule(static)
    for (int64_t r = 0; r < height; ++r) {
      const Between row = between(r, height, S);
      mix(table + row.first * S * D, table + row.second * S * D, row.share, band.data(), S * D);
      for (int64_t c = 0; c < width; ++c) {
        const Between column = between(c, width, S);
        float* out = embedding + token(r, c) * D;
        mix(&band[column.first * D], &band[column.second * D], column.share, out, D);
        for (int64_t t = 1; t < T; ++t) std::copy_n(out, D, out + t * frame * D);
      }
    }
#pragma omp for collapse(2) schedule(static)
    for (int64_t t = 0; t < T; ++t)
      for (int64_t r = 0; r < height; ++r)
        for (int64_t c = 0; c < width; ++c) {
          const int64_t at = (t * frame + token(r, c)) * 2 * C;
          add_rows(&times.cosines[t * C], &rows.cosines[r * C], &columns.cosines[c * C], cosines + at, C);
          add_rows(&times.sines[t * C], &rows.sines[r * C], &columns.sines[c * C], sines + at, C);
        }
  }
}
