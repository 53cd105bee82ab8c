// SPDX-License-Identifier: Apache-2.0
// x becomes whole numbers once; the difference of two of its largest is at most 255 steps.
#include "blocks/integer_product.h"

#include <cmath>

#include "kernel.h"

extern "C" void linear_dynamic_int8(const float* x, const int8_t* w, const float* scale, const float* bias, float* y, int64_t M, int64_t K,
                                    int64_t N) {
  float low = 0, high = 0;
  for (int64_t i = 0; i < M * K; ++i) {
    low = std::min(low, x[i]);
    high = std::max(high, x[i]);
  }
  const float s = std::max((high - low) / 255.0f, 0x1p-20f);
  std::vector<float> codes(M * K);
  const std::vector<float> weights(w, w + N * K);
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < M * K; ++i) codes[i] = std::nearbyint(x[i] / s);
  const std::vector<int32_t> sums = blocks::integer_product(M, N, K, codes.data(), blocks::transposed(weights.data(), K), 256 * 128);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m)
    for (int64_t n = 0; n < N; ++n) y[m * N + n] = static_cast<float>(sums[m * N + n]) * s * scale[0] + bias[n];
}
