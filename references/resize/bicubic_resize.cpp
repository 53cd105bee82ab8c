// SPDX-License-Identifier: Apache-2.0
// The columns of each row of the image first, then the rows.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

struct Place {
  std::array<int64_t, 4> at;
  std::array<float, 4> weight;
};

// Keys' kernel at distances 1 + t, t, 1 - t and 2 - t.
std::array<float, 4> weights(double t) {
  constexpr double a = -0.75;
  const auto near = [](double d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
  const auto far = [](double d) { return ((d - 5) * d + 8) * d * a - 4 * a; };
  return {static_cast<float>(far(1 + t)), static_cast<float>(near(t)), static_cast<float>(near(1 - t)), static_cast<float>(far(2 - t))};
}

std::vector<Place> places(int64_t from, int64_t to) {
  std::vector<Place> result(to);
  for (int64_t i = 0; i < to; ++i) {
    const double at = to == 1 ? 0 : static_cast<double>(i * (from - 1)) / static_cast<double>(to - 1), first = std::floor(at);
    result[i].weight = weights(at - first);
    for (int64_t k = 0; k < 4; ++k) result[i].at[k] = std::clamp<int64_t>(static_cast<int64_t>(first) - 1 + k, 0, from - 1);
  }
  return result;
}

}  // namespace

void bicubic_resize(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t OH, int64_t OW) {
  const std::vector<Place> rows = places(H, OH), columns = places(W, OW);
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N * C; ++n) {
    std::vector<float> wide(H * OW);
    for (int64_t i = 0; i < H; ++i) {
      const float* from = x + (n * H + i) * W;
      for (int64_t j = 0; j < OW; ++j) {
        const Place& p = columns[j];
        wide[i * OW + j] =
            p.weight[0] * from[p.at[0]] + p.weight[1] * from[p.at[1]] + p.weight[2] * from[p.at[2]] + p.weight[3] * from[p.at[3]];
      }
    }
    for (int64_t i = 0; i < OH; ++i) {
      const Place& p = rows[i];
      const float *a = &wide[p.at[0] * OW], *b = &wide[p.at[1] * OW], *c = &wide[p.at[2] * OW], *d = &wide[p.at[3] * OW];
      float* to = y + (n * OH + i) * OW;
      for (int64_t j = 0; j < OW; ++j) to[j] = p.weight[0] * a[j] + p.weight[1] * b[j] + p.weight[2] * c[j] + p.weight[3] * d[j];
    }
  }
}
