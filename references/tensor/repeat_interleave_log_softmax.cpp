// SPDX-License-Identifier: Apache-2.0
// Copies add log R to the logarithm of the sum; each result is computed once.
#include "blocks/vector_math.h"

#include <cmath>

#include "kernel.h"

extern "C" void repeat_interleave_log_softmax(const float* x, float* y, int64_t N, int64_t C, int64_t R) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    const float* in = x + n * C;
    float* out = y + n * R * C;
    float largest = in[0];
    for (int64_t c = 0; c < C; ++c) largest = in[c] > largest || std::isnan(in[c]) ? in[c] : largest;
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < C; ++c) sum += blocks::exp(in[c] - largest);
    const double log_sum = std::log(sum * static_cast<double>(R));
    for (int64_t c = 0; c < C; ++c) {
      const auto value = static_cast<float>((static_cast<double>(in[c]) - largest) - log_sum);
      for (int64_t r = 0; r < R; ++r) out[c * R + r] = value;
    }
  }
}
