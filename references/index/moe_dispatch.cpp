// SPDX-License-Identifier: Apache-2.0
// Slots are counted first, and only those that no token takes are cleared.
#include <algorithm>
#include <vector>

#include "kernel.h"

extern "C" void moe_dispatch(const float* x, const int64_t* experts, float* buffer, int64_t* slot, int64_t T, int64_t D, int64_t E,
                             int64_t C) {
  std::vector<int64_t> taken(E);
  for (int64_t t = 0; t < T; ++t) {
    int64_t& next = taken[experts[t]];
    slot[t] = next < C ? next++ : -1;
  }
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int64_t t = 0; t < T; ++t)
      if (slot[t] >= 0) std::copy_n(x + t * D, D, buffer + (experts[t] * C + slot[t]) * D);
#pragma omp for schedule(static)
    for (int64_t e = 0; e < E; ++e) std::fill(buffer + (e * C + taken[e]) * D, buffer + (e + 1) * C * D, 0.0f);
  }
}
