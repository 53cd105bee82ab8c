// SPDX-License-Identifier: Apache-2.0
// A tile of some vectors of an output row stays in registers over all taps.
#include "blocks/product.h"

#include <algorithm>
#include <cstring>

#include "kernel.h"

namespace {

constexpr int64_t kVectors = 4, kTile = kVectors * blocks::kLanes;

inline void tile(const float* x, const float* w, float* y, int64_t W, int64_t P, int64_t Q) {
  blocks::Vector sum[kVectors] = {};
  for (int64_t p = 0; p < P; ++p)
    for (int64_t q = 0; q < Q; ++q)
      for (int64_t v = 0; v < kVectors; ++v) {
        blocks::Vector in;
        std::memcpy(&in, x + p * W + q + v * blocks::kLanes, sizeof in);
        sum[v] += w[p * Q + q] * in;
      }
  std::memcpy(y, sum, sizeof sum);
}

// A row that is shorter than a tile.
inline void short_row(const float* x, const float* w, float* __restrict y, int64_t W, int64_t P, int64_t Q) {
  const int64_t columns = W - Q + 1;
  std::fill_n(y, columns, 0.0f);
  for (int64_t p = 0; p < P; ++p)
    for (int64_t q = 0; q < Q; ++q)
      for (int64_t i = 0; i < columns; ++i) y[i] += w[p * Q + q] * x[p * W + q + i];
}

}  // namespace

extern "C" void conv_depthwise_2d(const float* x, const float* w, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t P,
                                  int64_t Q) {
  const int64_t rows = H - P + 1, columns = W - Q + 1;
#pragma omp parallel for schedule(static)
  for (int64_t plane = 0; plane < N * C; ++plane)
    for (int64_t h = 0; h < rows; ++h) {
      const float *in = x + (plane * H + h) * W, *weights = w + plane % C * P * Q;
      float* out = y + (plane * rows + h) * columns;
      if (columns < kTile) {
        short_row(in, weights, out, W, P, Q);
        continue;
      }
      // The last tile ends with the row and overlaps the one before it.
      for (int64_t i = 0; i < columns; i += kTile) {
        const int64_t first = std::min(i, columns - kTile);
        tile(in + first, weights, out + first, W, P, Q);
      }
    }
}
