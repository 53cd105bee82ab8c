// SPDX-License-Identifier: Apache-2.0
#include "blocks/fourier.h"
#include "blocks/lanes.h"

#include <algorithm>

#include "kernel.h"

void fourier_transform_1d(const float* x, float* y, int64_t B, int64_t N) {
  constexpr int64_t lanes = blocks::kTile;
  const blocks::Numbers roots = blocks::roots_of_unity(N);
#pragma omp parallel
  {
    blocks::Numbers z(N * lanes), room(N * lanes);
    const auto part = [&](int64_t j) { return &(j % 2 == 0 ? z.real : z.imaginary)[j / 2 * lanes]; };
#pragma omp for schedule(static)
    for (int64_t b = 0; b < B; b += lanes) {
      const int64_t rows = std::min(lanes, B - b);
      blocks::to_lanes(x + 2 * b * N, 2 * N, rows, 2 * N, part);
      blocks::transform(z, room, N, lanes, roots);
      blocks::from_lanes(part, rows, 2 * N, y + 2 * b * N, 2 * N);
    }
  }
}
