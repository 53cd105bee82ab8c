// SPDX-License-Identifier: Apache-2.0
// Each axis has a table of the two pixels and the weight of the second.
#include <algorithm>
#include <vector>

#include "kernel.h"

namespace {

struct Place {
  int64_t low, high;
  float weight;
};

std::vector<Place> places(int64_t from, int64_t to) {
  std::vector<Place> result(to);
  for (int64_t i = 0; i < to; ++i) {
    const double at = std::max((static_cast<double>(i) + 0.5) * static_cast<double>(from) / static_cast<double>(to) - 0.5, 0.0);
    const auto low = static_cast<int64_t>(at);
    result[i] = {low, std::min(low + 1, from - 1), static_cast<float>(at - static_cast<double>(low))};
  }
  return result;
}

}  // namespace

void bilinear_resize(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t OH, int64_t OW) {
  const std::vector<Place> rows = places(H, OH), columns = places(W, OW);
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N * C; ++n)
    for (int64_t i = 0; i < OH; ++i) {
      const Place& row = rows[i];
      const float *upper = x + (n * H + row.low) * W, *lower = x + (n * H + row.high) * W;
      float* to = y + (n * OH + i) * OW;
      for (int64_t j = 0; j < OW; ++j) {
        const Place& p = columns[j];
        const float above = (1 - p.weight) * upper[p.low] + p.weight * upper[p.high];
        const float below = (1 - p.weight) * lower[p.low] + p.weight * lower[p.high];
        to[j] = (1 - row.weight) * above + row.weight * below;
      }
    }
}
