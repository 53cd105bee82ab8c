// SPDX-License-Identifier: Apache-2.0
// (1 + tanh(u)) / 2 = 1 / (1 + exp(-2u)): one pass with one exponential and one division for each element,
// and no cancellation for negative x. The exponential is a polynomial, because the compiler cannot vectorise
// expf.
#include <algorithm>
#include <bit>

#include "kernel.h"

namespace {

// exp(x): 2^n times the Taylor polynomial of exp(r), |r| <= ln(2)/2. 2^n is two factors, as n may leave
// float's range. Of a NaN it is any number: the caller's numerator is NaN as well.
inline float exponential(float x) {
  constexpr float shift = 0x1.8p23f;  // adding it rounds to an integer, which then stands in the lowest bits
  uint32_t bits = std::bit_cast<uint32_t>(x);
  uint32_t magnitude =
      std::min(bits & 0x7fffffffu, std::bit_cast<uint32_t>(104.0f));  // exp is 0 or Inf from there on
  x = std::bit_cast<float>(magnitude | (bits & 0x80000000u));
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

extern "C" void min_gpt_new_gelu(const float* x, float* y, int64_t N, int64_t C) {
  constexpr float root = 0.7978845608028654f;  // sqrt(2 / pi)
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    float u = root * (x[i] + 0.044715f * (x[i] * x[i] * x[i]));
    y[i] = x[i] / (1.0f + exponential(-2.0f * u));
  }
}
