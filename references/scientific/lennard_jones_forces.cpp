// SPDX-License-Identifier: Apache-2.0
// Coordinates are taken apart, so that the sums of one particle run over vectors of others.
#include "blocks/coordinates.h"

#include "kernel.h"

void lennard_jones_forces(const float* positions, float* forces, int64_t N) {
  const blocks::Coordinates points(positions, N);
  const float *x = points.x, *y = points.y, *z = points.z;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N; ++i) {
    float fx = 0, fy = 0, fz = 0;
#pragma omp simd reduction(+ : fx, fy, fz)
    for (int64_t j = 0; j < N; ++j) {
      const float dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
      const float s = 1.0f / (dx * dx + dy * dy + dz * dz + 0.5f), s2 = s * s, strength = s2 * s2 * (48.0f * (s2 * s) - 24.0f);
      fx += strength * dx;
      fy += strength * dy;
      fz += strength * dz;
    }
    forces[3 * i] = fx;
    forces[3 * i + 1] = fy;
    forces[3 * i + 2] = fz;
  }
}
