// SPDX-License-Identifier: Apache-2.0
// The tokens of a sequence share an adapter: a row of it becomes float32 once for all of them.
#include <vector>

#include "kernel.h"

extern "C" void lora_expand_slice_of_sequences(const float* x, const float16* b, const int64_t* offsets, const int64_t* adapters, float* y,
                                               [[maybe_unused]] int64_t T, int64_t R, [[maybe_unused]] int64_t L, int64_t N, int64_t S,
                                               int64_t P, int64_t Q) {
#pragma omp parallel
  {
    std::vector<float> row(R);
    for (int64_t s = 0; s < S; ++s) {
      if (adapters[s] < 0) continue;
#pragma omp for nowait
      for (int64_t n = 0; n < N; ++n) {
        for (int64_t r = 0; r < R; ++r) row[r] = static_cast<float>(b[(adapters[s] * N + n) * R + r]);
        for (int64_t t = offsets[s]; t < offsets[s + 1]; ++t) {
          float sum = 0;
#pragma omp simd reduction(+ : sum)
          for (int64_t r = 0; r < R; ++r) sum += row[r] * x[t * R + r];
          y[t * (P + N + Q) + P + n] += sum;
        }
      }
    }
  }
}
