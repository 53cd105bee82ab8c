// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

extern "C" void moe_combine(const float* buffer, const int64_t* experts, const int64_t* slots, const float* weights, float* y,
                            [[maybe_unused]] int64_t E, int64_t C, int64_t D, int64_t T, int64_t K) {
#pragma omp parallel for schedule(static)
  for (int64_t t = 0; t < T; ++t) {
    float* out = y + t * D;
    std::fill_n(out, D, 0.0f);
    for (int64_t choice = t * K; choice < (t + 1) * K; ++choice) {
      if (slots[choice] < 0) continue;
      const float* row = buffer + (experts[choice] * C + slots[choice]) * D;
      for (int64_t d = 0; d < D; ++d) out[d] += weights[choice] * row[d];
    }
  }
}
