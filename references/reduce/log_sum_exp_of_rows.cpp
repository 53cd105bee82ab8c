// SPDX-License-Identifier: Apache-2.0
// The maximum first, so that no exponential overflows.
// The exponential is a polynomial, because the compiler cannot vectorise a call of expf.
#pragma GCC optimize("no-trapping-math")  // both arms of a selection may be computed, so the loops vectorise

#include <bit>
#include <cmath>
#include <limits>

#include "kernel.h"

namespace {

// exp(x) for x <= 0: 2^n times the Taylor polynomial of exp(r), |r| <= ln(2)/2. 2^n is two factors, as n may
// lie below the exponents of normal numbers. exp(-104) rounds to 0.
inline float exp_nonpositive(float x) {
  constexpr float shift = 0x1.8p23f;  // adding it rounds to an integer, which then stands in the lowest bits
  x = x < -104.0f ? -104.0f : x;
  float shifted = x * 0x1.715476p0f + shift;
  float n = shifted - shift;
  float r = x - n * 0x1.62e4p-1f - n * 0x1.7f7d1cp-20f;  // ln(2) in two parts
  float p = 1.0f / 5040.0f;
  p = p * r + 1.0f / 720.0f;
  p = p * r + 1.0f / 120.0f;
  p = p * r + 1.0f / 24.0f;
  p = p * r + 1.0f / 6.0f;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  int32_t exponent = std::bit_cast<int32_t>(shifted) - std::bit_cast<int32_t>(shift);
  int32_t half = exponent >> 1;
  float low = std::bit_cast<float>(static_cast<uint32_t>(half + 127) << 23);
  float high = std::bit_cast<float>(static_cast<uint32_t>(exponent - half + 127) << 23);
  return p * low * high;
}

}  // namespace

void log_sum_exp_of_rows(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* row = x + n * C;
    float largest = -std::numeric_limits<float>::infinity();
#pragma omp simd reduction(max : largest)
    for (int64_t c = 0; c < C; ++c) largest = row[c] > largest ? row[c] : largest;
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < C; ++c) sum += exp_nonpositive(row[c] - largest);
    y[n] = largest + std::log(sum);
  }
}
