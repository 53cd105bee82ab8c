// SPDX-License-Identifier: Apache-2.0
// A row of an adapter and a token's x are both short and contiguous: a dot product each.
#include <vector>

#include "kernel.h"

extern "C" void lora_expand_float16(const float16* x, const float16* b, const int64_t* adapters, float16* y, int64_t T, int64_t R,
                                    [[maybe_unused]] int64_t L, int64_t N) {
#pragma omp parallel
  {
    std::vector<float> token(R);
#pragma omp for
    for (int64_t t = 0; t < T; ++t) {
      if (adapters[t] < 0) continue;
      for (int64_t r = 0; r < R; ++r) token[r] = static_cast<float>(x[t * R + r]);
      for (int64_t n = 0; n < N; ++n) {
        const float16* row = b + (adapters[t] * N + n) * R;
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int64_t r = 0; r < R; ++r) sum += static_cast<float>(row[r]) * token[r];
        y[t * N + n] = static_cast<float16>(static_cast<float>(y[t * N + n]) + sum);
      }
    }
  }
}
