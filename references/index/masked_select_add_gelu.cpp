// SPDX-License-Identifier: Apache-2.0
// What is selected is counted piece by piece, so that each piece knows where its own numbers and zeros begin.
#include "blocks/vector_math.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "kernel.h"

void masked_select_add_gelu(const float* x, const bool* mask, float* y, int64_t* count, int64_t N) {
  constexpr int64_t piece = 4096;
  const int64_t pieces = (N + piece - 1) / piece;
  std::vector<int64_t> begin(pieces + 1);  // of each piece's numbers in y
#pragma omp parallel for schedule(static)
  for (int64_t p = 0; p < pieces; ++p)
    begin[p + 1] = std::count(mask + p * piece, mask + std::min(N, (p + 1) * piece), true);
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  *count = begin[pieces];
#pragma omp parallel for schedule(static)
  for (int64_t p = 0; p < pieces; ++p) {
    const int64_t first = p * piece, last = std::min(N, first + piece);
    float selected[piece];
    int64_t found = 0;
    for (int64_t i = first; i < last; ++i) {  // without a branch: what is not selected is written over
      selected[found] = x[i] + 0.5f;
      found += mask[i];
    }
#pragma omp simd
    for (int64_t i = 0; i < found; ++i)
      y[begin[p] + i] = 0.5f * selected[i] * (1.0f + blocks::erf(selected[i] * 0.70710678118654752f));
    std::fill_n(y + begin[pieces] + first - begin[p], last - first - found, 0.0f);
  }
}
