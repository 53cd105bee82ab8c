// SPDX-License-Identifier: Apache-2.0
// Each axis has a table of the two elements and the weight of the second.
#include <algorithm>
#include <vector>

#include "kernel.h"

namespace {

struct Place {
  int64_t low, high;
  float weight;
};

std::vector<Place> places(int64_t from) {
  std::vector<Place> result(2 * from);
  for (int64_t i = 0; i < 2 * from; ++i) {
    const double at = static_cast<double>(i * (from - 1)) / static_cast<double>(2 * from - 1);
    const auto low = static_cast<int64_t>(at);
    result[i] = {low, std::min(low + 1, from - 1), static_cast<float>(at - static_cast<double>(low))};
  }
  return result;
}

float between(float a, float b, float weight) { return (1 - weight) * a + weight * b; }

}  // namespace

void trilinear_upsample(const float* x, float* y, int64_t N, int64_t C, int64_t D, int64_t H, int64_t W) {
  const std::vector<Place> slices = places(D), rows = places(H), columns = places(W);
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N * C; ++n) {
    const float* volume = x + n * D * H * W;
    std::vector<float> line(W);
    for (int64_t i = 0; i < 2 * D; ++i)
      for (int64_t j = 0; j < 2 * H; ++j) {
        const Place &s = slices[i], &r = rows[j];
        const float *a = volume + (s.low * H + r.low) * W, *b = volume + (s.low * H + r.high) * W;
        const float *c = volume + (s.high * H + r.low) * W, *d = volume + (s.high * H + r.high) * W;
        for (int64_t k = 0; k < W; ++k) line[k] = between(between(a[k], b[k], r.weight), between(c[k], d[k], r.weight), s.weight);
        float* to = y + ((n * 2 * D + i) * 2 * H + j) * 2 * W;
        for (int64_t k = 0; k < 2 * W; ++k) to[k] = between(line[columns[k].low], line[columns[k].high], columns[k].weight);
      }
  }
}
