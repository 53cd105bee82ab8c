// SPDX-License-Identifier: Apache-2.0
// Coordinates are taken apart, so that the sums of one body run over vectors of others. 1 / sqrt(x) is an estimate by x's bits, which three
// steps of Newton's method refine.
#include "blocks/vectors.h"
#include "blocks/coordinates.h"

#include <bit>
#include <limits>

#include "kernel.h"

namespace {

float reciprocal_root(float x) {
  x = x > std::numeric_limits<float>::max() ? std::numeric_limits<float>::max() : x;
  float y = std::bit_cast<float>(0x5f3759dfu - (std::bit_cast<uint32_t>(x) >> 1));
  for (int step = 0; step < 3; ++step) y *= 1.5f - 0.5f * x * y * y;
  return y;
}

}  // namespace

void n_body_accelerations(const float* positions, const float* masses, float* accelerations, int64_t N) {
  const blocks::Coordinates points(positions, N);
  const float *x = points.x, *y = points.y, *z = points.z;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N; ++i) {
    float ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
    for (int64_t j = 0; j < N; ++j) {
      const float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      const float inverse = reciprocal_root(dx * dx + dy * dy + dz * dz + 0.01f), pull = masses[j] * (inverse * inverse * inverse);
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
    }
    accelerations[3 * i] = ax;
    accelerations[3 * i + 1] = ay;
    accelerations[3 * i + 2] = az;
  }
}
