// SPDX-License-Identifier: Apache-2.0
// The maximum is separable and does not mind repetition: each input row is reduced along the row once, into a
// ring of four rows, and four of these are reduced across. Where a window sticks out, an element or row
// inside it is taken twice instead of padding. NaN wins over every number.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernel.h"

namespace {

inline float larger(float a, float b) {
  const float greater = a > b ? a : b;  // b if either is NaN
  return a != a ? a : greater;
}

inline float largest(float a, float b, float c, float d) { return larger(larger(a, b), larger(c, d)); }

// out(j) = the largest of row(j - 1) ... row(j + 2), of those that exist; the row has width + 1 elements.
void reduce_along(const float* row, float* __restrict out, int64_t width) {
  out[0] = larger(larger(row[0], row[1]), row[std::min<int64_t>(2, width)]);
#pragma omp simd
  for (int64_t j = 1; j < width - 1; ++j) out[j] = largest(row[j - 1], row[j], row[j + 1], row[j + 2]);
  if (width > 1) out[width - 1] = larger(larger(row[width - 2], row[width - 1]), row[width]);
}

void pool_plane(const float* x, float* y, int64_t H, int64_t W, float* ring) {
  const int64_t width = W - 1;
  const auto reduced = [&](int64_t h) { return ring + std::clamp<int64_t>(h, 0, H - 1) % 4 * width; };
  for (int64_t h = 0; h < std::min<int64_t>(2, H); ++h) reduce_along(x + h * W, reduced(h), width);
  for (int64_t h = 0; h < H - 1; ++h, y += width) {
    if (h + 2 < H) reduce_along(x + (h + 2) * W, reduced(h + 2), width);
    const float* first = reduced(h - 1);
    const float* second = reduced(h);
    const float* third = reduced(h + 1);
    const float* fourth = reduced(h + 2);
    float* __restrict out = y;
#pragma omp simd
    for (int64_t j = 0; j < width; ++j) out[j] = largest(first[j], second[j], third[j], fourth[j]);
  }
}

}  // namespace

extern "C" void max_pooling_2d(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W,
                               int64_t OH, int64_t OW) {
#pragma omp parallel
  {
    std::vector<float> ring(4 * OW);
#pragma omp for
    for (int64_t p = 0; p < N * C; ++p) pool_plane(x + p * H * W, y + p * OH * OW, H, W, ring.data());
  }
}
