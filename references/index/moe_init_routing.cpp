// SPDX-License-Identifier: Apache-2.0
// Counting sort: where each expert's rows begin, and one more with each row.
#include <algorithm>
#include <array>
#include <numeric>

#include "kernel.h"

extern "C" void moe_init_routing(const float* x, const int32_t* experts, float* rows, int32_t* place, int32_t* sorted_experts, int64_t T,
                                 int64_t D, int64_t K) {
  std::array<int32_t, 64> next{};
  for (int64_t i = 0; i < T * K; ++i) ++next[experts[i]];
  std::exclusive_scan(next.begin(), next.end(), next.begin(), 0);
  for (int64_t t = 0; t < T; ++t)
    for (int64_t k = 0; k < K; ++k) {
      const int32_t expert = experts[t * K + k], at = next[expert]++;
      place[k * T + t] = at;
      sorted_experts[at] = expert;
    }
#pragma omp parallel for
  for (int64_t t = 0; t < T; ++t)
    for (int64_t k = 0; k < K; ++k) std::copy_n(x + t * D, D, rows + place[k * T + t] * D);
}
