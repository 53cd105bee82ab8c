// SPDX-License-Identifier: Apache-2.0
// Powers of float32 as 2^(b log2(a)) in float64, which a loop over them vectorises: exponents of up to 127 bits take more digits of the
// logarithm than float32 has. Include this first: what comes before the pragma is not inlined into what comes after it.
#pragma once

#include "blocks/vectors.h"

#include <bit>
#include <cstdint>
#include <limits>

namespace blocks {

/// To base 2 for x >= 0: x = 2^n m, sqrt(1/2) <= m < sqrt(2), and log2(m) = s p(s^2) with s = (m - 1) / (m + 1), where p
/// is fitted for the smallest error.
inline double logarithm_to_base_2(float x) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const bool small = x < std::numeric_limits<float>::min();
  const uint32_t bits = std::bit_cast<uint32_t>(small ? x * 0x1p24f : x);
  const int32_t exponent = static_cast<int32_t>(bits - 0x3f3504f3u) >> 23;
  const float whole = static_cast<float>(exponent) - (small ? 24 : 0);
  const float n = x == 0 ? -infinity : x < infinity ? whole : x;
  const double m = std::bit_cast<float>(bits - (static_cast<uint32_t>(exponent) << 23)), s = (m - 1) / (m + 1), z = s * s;
  double p = 0.34071157845885;
  p = p * z + 0.411673946253755;
  p = p * z + 0.57708355786809;
  p = p * z + 0.961796673563389;
  p = p * z + 2.8853900817896;
  return p * s + n;
}

/// 2^x: the whole part goes to the exponent, the rest into a polynomial, fitted likewise. Beyond 200 float32 has only zero
/// and infinity.
inline float exponential_to_base_2(double x) {
  x = x < -200 ? -200 : x;
  x = x > 200 ? 200 : x;
  constexpr double shift = 0x1.8p52;  // adding it rounds to an integer, which then stands in the lowest bits
  const double n = x + shift, r = x - (n - shift);
  double p = 0.000153458112521197;
  p = p * r + 0.00133999312132252;
  p = p * r + 0.00961848895990619;
  p = p * r + 0.055503287769846;
  p = p * r + 0.240226468906083;
  p = p * r + 0.693147205737255;
  p = p * r + 1.00000000055417;
  return static_cast<float>(std::bit_cast<double>(std::bit_cast<int64_t>(p) + (std::bit_cast<int64_t>(n) << 52)));
}

/// a^b for a >= 0.
inline float power(float a, float b) {
  const float y = exponential_to_base_2(b * logarithm_to_base_2(a));
  return (a == 1) | (b == 0) ? 1 : y;
}

}  // namespace blocks
