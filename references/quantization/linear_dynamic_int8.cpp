// SPDX-License-Identifier: Apache-2.0
// x becomes integers once; both operands of a sum are then contiguous rows of integers.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void linear_dynamic_int8(const float* x, const int8_t* w, const float* scale, const float* bias, float* y, int64_t M, int64_t K,
                                    int64_t N) {
  float low = 0, high = 0;
  for (int64_t i = 0; i < M * K; ++i) {
    low = std::min(low, x[i]);
    high = std::max(high, x[i]);
  }
  const float s = std::max((high - low) / 255.0f, 0x1p-20f);
  std::vector<int16_t> q(M * K);
#pragma omp parallel
  {
#pragma omp for
    for (int64_t i = 0; i < M * K; ++i)
      q[i] = static_cast<int16_t>(std::nearbyint(x[i] / s));
#pragma omp for
    for (int64_t m = 0; m < M; ++m)
      for (int64_t n = 0; n < N; ++n) {
        const int16_t* codes = q.data() + m * K;
        const int8_t* weights = w + n * K;
        int32_t sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int64_t k = 0; k < K; ++k) sum += codes[k] * weights[k];
        y[m * N + n] = static_cast<float>(sum) * s * scale[0] + bias[n];
      }
  }
}
