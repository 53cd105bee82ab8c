// SPDX-License-Identifier: Apache-2.0
// A plane is copied with a border of what never wins. The places of a row of windows are found at once, in vectors; then each gradient goes
// to its place.
#include "blocks/vectors.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "kernel.h"

namespace {

/// where[OW] = the place in x of the first largest element of each window of row `oh`; padded has 1 row above x and 1 column before it.
void find_places(const float* padded, int64_t pitch, int64_t oh, int64_t OW, int64_t W, float* __restrict largest,
                 int32_t* __restrict where) {
  std::fill_n(largest, OW, -std::numeric_limits<float>::infinity());
  const auto row = static_cast<int32_t>(std::max<int64_t>(0, 2 * oh - 1) * W);
  where[0] = row;
  for (int32_t ow = 1; ow < OW; ++ow) where[ow] = row + 2 * ow - 1;  // where all are -infinity
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < 3; ++j) {
      const float* seen = padded + (2 * oh + i) * pitch + j;
      const auto place = static_cast<int32_t>((2 * oh + i - 1) * W + j - 1);
      for (int32_t ow = 0; ow < OW; ++ow) {
        const bool wins = seen[2 * ow] > largest[ow];
        largest[ow] = wins ? seen[2 * ow] : largest[ow];
        where[ow] = wins ? place + 2 * ow : where[ow];
      }
    }
}

}  // namespace

extern "C" void max_pooling_2d_backward(const float* x, const float* dy, float* dx, int64_t N, int64_t C, int64_t H, int64_t W) {
  const int64_t OH = (H + 1) / 2, OW = (W + 1) / 2, pitch = 2 * OW + 1;
#pragma omp parallel
  {
    std::vector<float> padded((2 * OH + 1) * pitch, -std::numeric_limits<float>::infinity()), largest(OW);
    std::vector<int32_t> where(OW);
#pragma omp for schedule(static)
    for (int64_t plane = 0; plane < N * C; ++plane) {
      for (int64_t h = 0; h < H; ++h) std::copy_n(x + (plane * H + h) * W, W, &padded[(h + 1) * pitch + 1]);
      float* out = dx + plane * H * W;
      std::fill_n(out, H * W, 0.0f);
      for (int64_t oh = 0; oh < OH; ++oh) {
        find_places(padded.data(), pitch, oh, OW, W, largest.data(), where.data());
        const float* gradients = dy + (plane * OH + oh) * OW;
        for (int64_t ow = 0; ow < OW; ++ow) out[where[ow]] += gradients[ow];
      }
    }
  }
}
