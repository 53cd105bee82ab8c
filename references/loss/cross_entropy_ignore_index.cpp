// SPDX-License-Identifier: Apache-2.0
// Row by row: the maximum, then the sum of the exponentials, while the row is in cache; nothing is stored.
// Ignored rows are left out. The rows' losses are added in double. The exponential is a polynomial, because the compiler cannot
// vectorise expf.
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

extern "C" void cross_entropy_ignore_index(const float* x, const int64_t* target, float* y, int64_t N, int64_t C) {
  double total = 0.0;
  int64_t count = 0;
#pragma omp parallel for schedule(static) reduction(+ : total, count)
  for (int64_t n = 0; n < N; ++n) {
    if (target[n] == -100) continue;
    ++count;
    const float* row = x + n * C;
    float highest = -std::numeric_limits<float>::infinity();
#pragma omp simd reduction(max : highest)
    for (int64_t c = 0; c < C; ++c) highest = row[c] > highest ? row[c] : highest;
    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < C; ++c) sum += exp_nonpositive(row[c] - highest);
    total += std::log(static_cast<double>(sum)) - (static_cast<double>(row[target[n]]) - highest);
  }
  *y = static_cast<float>(total / static_cast<double>(count));
}
