// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

void lora_expand_slice_of_sequences(const float* x, const float16* b, const int64_t* offsets, const int64_t* adapters, float* y, int64_t T,
                                    int64_t R, int64_t L, int64_t N, int64_t S, int64_t P, int64_t Q) {
#pragma omp parallel for
  for (int64_t s = 0; s < S; ++s) {
    int64_t adapter = adapters[s];
    if (adapter == -1) continue;
    for (int64_t t = offsets[s]; t < offsets[s + 1]; ++t) {
      for (int64_t n = 0; n < N; ++n) {
        float sum = 0;
        for (int64_t r = 0; r < R; ++r) sum += (float)b[(adapter * N + n) * R + r] * x[t * R + r];
        y[t * (P + N + Q) + P + n] += sum;
      }
    }
  }
}
