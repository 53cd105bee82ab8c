// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "kernel.h"

extern "C" void moe_group_scores(const float* scores, float* y, bool* kept, int64_t N, int64_t E) {
  constexpr int64_t groups = 8, best = 4;
  constexpr float infinity = std::numeric_limits<float>::infinity();
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* x = scores + n * groups * E;
    float value[groups];
    for (int64_t g = 0; g < groups; ++g) {
      float first = -infinity, second = -infinity;
#pragma omp simd reduction(max : first)
      for (int64_t e = 0; e < E; ++e) first = std::max(first, x[g * E + e]);
      int64_t times = 0;
#pragma omp simd reduction(max : second) reduction(+ : times)
      for (int64_t e = 0; e < E; ++e) {
        const bool below = x[g * E + e] < first;
        second = std::max(second, below ? x[g * E + e] : -infinity);
        times += !below;
      }
      value[g] = first + (times > 1 ? first : second);
    }
    for (int64_t g = 0; g < groups; ++g) {
      int64_t ahead = 0;
      for (int64_t h = 0; h < groups; ++h) ahead += h < g ? value[h] >= value[g] : value[h] > value[g];
      kept[n * groups + g] = ahead < best;
      float* out = y + (n * groups + g) * E;
      if (ahead < best) std::copy_n(x + g * E, E, out);
      else std::fill_n(out, E, -infinity);
    }
  }
}
