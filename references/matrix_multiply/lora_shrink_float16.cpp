// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

extern "C" void lora_shrink_float16(const float16* x, const float16* a, const int64_t* adapters, const float* scale, float16* y, int64_t T,
                                    int64_t K, [[maybe_unused]] int64_t L, int64_t R) {
#pragma omp parallel for
  for (int64_t t = 0; t < T; ++t) {
    if (adapters[t] < 0) continue;
    for (int64_t r = 0; r < R; ++r) {
      const float16* row = a + (adapters[t] * R + r) * K;
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t k = 0; k < K; ++k) sum += static_cast<float>(row[k]) * static_cast<float>(x[t * K + k]);
      y[t * R + r] = static_cast<float16>(static_cast<float>(y[t * R + r]) + scale[0] * sum);
    }
  }
}
