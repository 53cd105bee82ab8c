// SPDX-License-Identifier: Apache-2.0
// The columns of each row of the image first, then the rows.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

struct Place {
  int64_t first;
  std::vector<float> weights;
};

std::vector<Place> places(int64_t from, int64_t to) {
  std::vector<Place> result(to);
  const double step = static_cast<double>(from) / static_cast<double>(to), reach = std::max(step, 1.0);
  for (int64_t i = 0; i < to; ++i) {
    const double centre = (static_cast<double>(i) + 0.5) * step - 0.5;
    const auto first = std::max<int64_t>(0, static_cast<int64_t>(std::ceil(centre - reach)));
    const auto last = std::min<int64_t>(from - 1, static_cast<int64_t>(std::floor(centre + reach)));
    std::vector<double> weights;
    double total = 0;
    for (int64_t k = first; k <= last; ++k)
      total += weights.emplace_back(std::max(0.0, 1 - std::abs(static_cast<double>(k) - centre) / reach));
    result[i].first = first;
    for (const double weight : weights) result[i].weights.push_back(static_cast<float>(weight / total));
  }
  return result;
}

}  // namespace

void bilinear_resize_antialiased(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t OH, int64_t OW) {
  const std::vector<Place> rows = places(H, OH), columns = places(W, OW);
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N * C; ++n) {
    std::vector<float> narrow(H * OW);
    for (int64_t i = 0; i < H; ++i)
      for (int64_t j = 0; j < OW; ++j) {
        const Place& p = columns[j];
        const float* from = x + (n * H + i) * W + p.first;
        float sum = 0;
        for (std::size_t k = 0; k < p.weights.size(); ++k) sum += p.weights[k] * from[k];
        narrow[i * OW + j] = sum;
      }
    for (int64_t i = 0; i < OH; ++i) {
      float* to = y + (n * OH + i) * OW;
      std::fill_n(to, OW, 0.0f);
      const float* from = &narrow[rows[i].first * OW];
      for (const float weight : rows[i].weights) {
        for (int64_t j = 0; j < OW; ++j) to[j] += weight * from[j];
        from += OW;
      }
    }
  }
}
