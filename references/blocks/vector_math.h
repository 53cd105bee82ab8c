// SPDX-License-Identifier: Apache-2.0
// Elementary functions of float32 that a loop over them vectorises, which calls of the C library do not. Include this first: what comes
// before the pragma is not inlined into what comes after it.
//
// Errors in units in the last place: at most 2 of exp, exp2, expm1 and log, 3 of log1p, log2, log10, tanh, sinh, cosh, sigmoid and erf,
// 4 of atanh, 7 of erfc up to x = 2, from there x^2.
// NaN, infinities, zeros and arguments outside of the domain give what the C library gives.
#pragma once

#include "blocks/vectors.h"

#include <bit>
#include <cstdint>
#include <limits>

namespace blocks {

/// 2^n for -252 <= n <= 254, times x. It is two factors, as n may lie outside the exponents of normal numbers.
inline float scaled(float x, int32_t n) {
  const int32_t half = n >> 1;
  return x * std::bit_cast<float>(static_cast<uint32_t>(half + 127) << 23) * std::bit_cast<float>(static_cast<uint32_t>(n - half + 127) << 23);
}

/// x = n ln(2) + rest, |rest| <= ln(2) / 2.
struct Reduced {
  int32_t n;
  float rest;
};

inline Reduced reduced(float x) {
  constexpr float shift = 0x1.8p23f;  // adding it rounds to an integer, which then stands in the lowest bits
  const float shifted = x * 0x1.715476p0f + shift, n = shifted - shift;
  return {std::bit_cast<int32_t>(shifted) - std::bit_cast<int32_t>(shift), x - n * 0x1.62e4p-1f - n * 0x1.7f7d1cp-20f};
}

/// (exp(x) - 1) / x for |x| <= ln(2) / 2, by its Taylor polynomial.
inline float expm1_over(float x) {
  float p = 1.0f / 5040;
  p = p * x + 1.0f / 720;
  p = p * x + 1.0f / 120;
  p = p * x + 1.0f / 24;
  p = p * x + 1.0f / 6;
  p = p * x + 0.5f;
  return p * x + 1.0f;
}

inline float exp(float x) {
  x = x < -104.0f ? -104.0f : x;
  x = x > 89.0f ? 89.0f : x;
  const Reduced r = reduced(x);
  return scaled(expm1_over(r.rest) * r.rest + 1.0f, r.n);
}

inline float exp2(float x) {
  x = x < -151.0f ? -151.0f : x;
  x = x > 129.0f ? 129.0f : x;
  constexpr float shift = 0x1.8p23f;
  const float shifted = x + shift, rest = (x - (shifted - shift)) * 0x1.62e43p-1f;
  return scaled(expm1_over(rest) * rest + 1.0f, std::bit_cast<int32_t>(shifted) - std::bit_cast<int32_t>(shift));
}

inline float expm1(float x) {
  const float near = x < -104.0f ? -104.0f : x;
  const Reduced r = reduced(near > 89.0f ? 89.0f : near);
  const float half = scaled(0.5f, r.n), y = 2.0f * (half * (expm1_over(r.rest) * r.rest) + (half - 0.5f));
  return x == 0.0f ? x : y;
}

/// ln((1 + s) / (1 - s)) for |s| <= 1/3.
inline float log_ratio(float s) {
  const float z = s * s;
  float p = 2.0f / 15;
  p = p * z + 2.0f / 13;
  p = p * z + 2.0f / 11;
  p = p * z + 2.0f / 9;
  p = p * z + 2.0f / 7;
  p = p * z + 2.0f / 5;
  p = p * z + 2.0f / 3;
  return p * z * s + 2.0f * s;
}

/// x = 2^n m, sqrt(1/2) <= m < sqrt(2), and the logarithm of m.
struct Logarithm {
  float n, of_rest;
};

inline Logarithm logarithm(float x) {
  const bool small = x < std::numeric_limits<float>::min();
  const uint32_t bits = std::bit_cast<uint32_t>(small ? x * 0x1p24f : x);
  const int32_t exponent = static_cast<int32_t>(bits - 0x3f3504f3u) >> 23;
  const float rest = std::bit_cast<float>(bits - (static_cast<uint32_t>(exponent) << 23));
  return {static_cast<float>(exponent) - (small ? 24.0f : 0.0f), log_ratio((rest - 1.0f) / (rest + 1.0f))};
}

/// `y`, or what a logarithm is of zero, infinities, NaN and negative numbers.
inline float or_special_logarithm(float x, float y) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const float finite = x < infinity ? y : x;
  const float positive = x == 0.0f ? -infinity : finite;
  return x < 0.0f ? std::numeric_limits<float>::quiet_NaN() : positive;
}

inline float log(float x) {
  const Logarithm l = logarithm(x);
  return or_special_logarithm(x, l.n * 0x1.62e4p-1f + (l.n * 0x1.7f7d1cp-20f + l.of_rest));
}

inline float log2(float x) {
  const Logarithm l = logarithm(x);
  return or_special_logarithm(x, l.n + 0x1.715476p0f * l.of_rest);
}

inline float log10(float x) {
  const Logarithm l = logarithm(x);
  return or_special_logarithm(x, l.n * 0x1.344p-2f + (l.n * 0x1.3509f8p-18f + 0x1.bcb7b2p-2f * l.of_rest));
}

/// The logarithm of the rounded sum, and what the rounding left out.
inline float log1p(float x) {
  const float sum = 1.0f + x, y = log(sum) + (x - (sum - 1.0f)) / sum;
  const bool keeps_x = (sum == 1.0f) | (x == std::numeric_limits<float>::infinity());
  return keeps_x ? x : (sum == 0.0f ? -std::numeric_limits<float>::infinity() : y);
}

/// ln(1 + x) for 0 <= x <= 1.
inline float log1p_of_unit(float x) { return log_ratio(x / (2.0f + x)); }

inline float tanh(float x) {
  float twice = 2.0f * x;
  twice = twice < -40.0f ? -40.0f : twice;
  twice = twice > 40.0f ? 40.0f : twice;
  const Reduced r = reduced(twice);
  const float power = scaled(1.0f, r.n), expm1 = power * (expm1_over(r.rest) * r.rest) + (power - 1.0f);
  const float y = expm1 / (expm1 + 2.0f);
  return x == 0.0f ? x : y;
}

/// Half of exp(x) for x >= 0, where that itself may be too large.
inline float half_exp(float x) {
  const float root = exp(0.5f * x);
  return 0.5f * root * root;
}

inline float sinh(float x) {
  const float magnitude = x < 0.0f ? -x : x, power = expm1(magnitude), near = 0.5f * (power + power / (power + 1.0f));
  const float y = magnitude > 20.0f ? half_exp(magnitude) : near;
  return x == 0.0f ? x : (x < 0.0f ? -y : y);
}

inline float cosh(float x) {
  const float magnitude = x < 0.0f ? -x : x, power = exp(magnitude);
  return magnitude > 20.0f ? half_exp(magnitude) : 0.5f * power + 0.5f / power;
}

inline float atanh(float x) {
  const float magnitude = x < 0.0f ? -x : x, y = 0.5f * log1p(2.0f * magnitude / (1.0f - magnitude));
  return x == 0.0f ? x : (x < 0.0f ? -y : y);
}

inline float sigmoid(float x) {
  const float power = exp(x < 0.0f ? x : -x);
  return (x < 0.0f ? power : 1.0f) / (1.0f + power);
}

/// erfc(x) for x >= 0: exp(-x^2) by a polynomial in 1 / (1 + x / 2), fitted for the smallest relative error up to x = 10.
inline float erfc_positive(float x) {
  const float t = 1.0f / (1.0f + 0.5f * x);
  float p = -0.055051666f;
  p = p * t + 0.263904994f;
  p = p * t - 0.441481809f;
  p = p * t + 0.221196086f;
  p = p * t + 0.017073797f;
  p = p * t + 0.181251743f;
  p = p * t + 0.249792933f;
  p = p * t + 0.281098536f;
  p = p * t + 0.282221366f;
  p = p * t - 6.01083602e-06f;
  return p * exp(-x * x);
}

inline float erfc(float x) {
  const float y = erfc_positive(x < 0.0f ? -x : x);
  return x < 0.0f ? 2.0f - y : y;
}

/// Below 1 x times a polynomial in x^2, fitted like erfc's.
inline float erf(float x) {
  const float z = x * x, magnitude = x < 0.0f ? -x : x, far = 1.0f - erfc_positive(magnitude);
  float p = 7.88911956e-05f;
  p = p * z - 0.000802084129f;
  p = p * z + 0.00518953534f;
  p = p * z - 0.0268544446f;
  p = p * z + 0.112836002f;
  p = p * z - 0.376126271f;
  p = p * z + 1.12837917f;
  return magnitude < 1.0f ? x * p : (x < 0.0f ? -far : far);
}

}  // namespace blocks
