// SPDX-License-Identifier: Apache-2.0
// A row of an adapter and a token's x are both short and contiguous: a dot product each.
#include "kernel.h"

extern "C" void lora_expand_slice(const float* x, const float16* b, const int64_t* adapters, float* y, int64_t T, int64_t R,
                                  [[maybe_unused]] int64_t L, int64_t N, int64_t P, int64_t Q) {
#pragma omp parallel for
  for (int64_t t = 0; t < T; ++t) {
    if (adapters[t] < 0) continue;
    for (int64_t n = 0; n < N; ++n) {
      const float16* row = b + (adapters[t] * N + n) * R;
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t r = 0; r < R; ++r) sum += static_cast<float>(row[r]) * x[t * R + r];
      y[t * (P + N + Q) + P + n] += sum;
    }
  }
}
