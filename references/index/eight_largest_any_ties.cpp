// SPDX-License-Identifier: Apache-2.0
// A partial sort of each row's places.
#include <algorithm>
#include <numeric>
#include <vector>

#include "kernel.h"

void eight_largest_any_ties(const float* x, float* values, int64_t* index, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < N; ++r) {
    const float* row = x + r * C;
    std::vector<int64_t> places(static_cast<size_t>(C));
    std::iota(places.begin(), places.end(), int64_t{0});
    std::partial_sort(places.begin(), places.begin() + 8, places.end(), [row](int64_t i, int64_t j) { return row[i] > row[j]; });
    for (int64_t i = 0; i < 8; ++i) {
      index[r * 8 + i] = places[i];
      values[r * 8 + i] = row[places[i]];
    }
  }
}
