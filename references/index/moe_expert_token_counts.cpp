// SPDX-License-Identifier: Apache-2.0
// Where one expert's tokens end and another's begin, the counts of those between are known.
#include "kernel.h"

extern "C" void moe_expert_token_counts(const int32_t* experts, int32_t* counts, int64_t T, int64_t E) {
#pragma omp parallel for
  for (int64_t t = 0; t <= T; ++t) {
    const int64_t begin = t > 0 ? experts[t - 1] : 0, end = t < T ? experts[t] : E;
    for (int64_t e = begin; e < end; ++e) counts[e] = static_cast<int32_t>(t);
  }
}
