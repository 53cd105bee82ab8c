// SPDX-License-Identifier: Apache-2.0
// Positions are contiguous, channels are not: a tile of neighbouring positions is taken through all channels
// twice, first to gather the squares side by side, then to divide. The tile's second reading comes from the
// cache.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernel.h"

namespace {

constexpr int64_t kTile = 512;

void normalise_tile(const float* x, float* __restrict y, int64_t C, int64_t stride, int64_t width) {
  double squares[kTile] = {};
  float factor[kTile];
  for (int64_t c = 0; c < C; ++c) {
    const float* row = x + c * stride;
#pragma omp simd
    for (int64_t i = 0; i < width; ++i) squares[i] += static_cast<double>(row[i]) * row[i];
  }
  for (int64_t i = 0; i < width; ++i) factor[i] = 1 / std::sqrt(squares[i] / C + 1e-5);
  for (int64_t c = 0; c < C; ++c) {
    const float* row = x + c * stride;
    float* __restrict out = y + c * stride;
#pragma omp simd
    for (int64_t i = 0; i < width; ++i) out[i] = row[i] * factor[i];
  }
}

}  // namespace

extern "C" void rms_norm(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W) {
  const int64_t size = H * W;
#pragma omp parallel for collapse(2)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t i = 0; i < size; i += kTile)
      normalise_tile(x + n * C * size + i, y + n * C * size + i, C, size, std::min(kTile, size - i));
}
