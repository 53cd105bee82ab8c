// SPDX-License-Identifier: Apache-2.0
// The K largest so far stay sorted; few of a row's logits are among them, and the others cost one comparison.
#include "blocks/vector_math.h"

#include <algorithm>

#include "kernel.h"

extern "C" void moe_gating_top_k_softmax(const float* x, const bool* finished, float* share, int32_t* expert, int64_t N, int64_t E,
                                         int64_t K) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    const float* row = x + n * E;
    int32_t* top = expert + n * K;
    for (int64_t e = 0; e < E; ++e) {
      if (e >= K && !(row[e] > row[top[K - 1]])) continue;
      int64_t at = std::min(e, K - 1);
      for (; at > 0 && row[e] > row[top[at - 1]]; --at) top[at] = top[at - 1];
      top[at] = static_cast<int32_t>(e);
    }
    const float largest = row[top[0]];
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t e = 0; e < E; ++e) sum += blocks::exp(row[e] - largest);
    for (int64_t k = 0; k < K; ++k) share[n * K + k] = blocks::exp(row[top[k]] - largest) / sum;
    if (finished[n]) std::fill_n(top, K, static_cast<int32_t>(E));
  }
}
