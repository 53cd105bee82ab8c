// SPDX-License-Identifier: Apache-2.0
// IEEE 754 binary16 ("half") and bfloat16: bit patterns, exact decoding, rounding to nearest even from any
// precision; and what all real types have in common.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "assay/spec/float8.h"
#include "assay/spec/tensor_type.h"

namespace assay::spec {

inline double double_from_bf16(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
inline double double_from_f16(std::uint16_t bits) {
  const int exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
  const std::uint64_t sign = static_cast<std::uint64_t>(bits & 0x8000) << 48;
  if (exponent == 0) return std::copysign(fraction * 0x1p-24, std::bit_cast<double>(sign));
  if (exponent == 0x1f && fraction != 0) return std::numeric_limits<double>::quiet_NaN();
  const auto wide = static_cast<std::uint64_t>(exponent == 0x1f ? 0x7ff : exponent - 15 + 1023);
  return std::bit_cast<double>(sign | wide << 52 | static_cast<std::uint64_t>(fraction) << 42);
}

/// One rounding, to nearest even; beyond the largest finite number infinity, a NaN stays one.
std::uint16_t f16_from_double(double x);
std::uint16_t bf16_from_double(double x);

/// The bits of a real `type` of 16 or 8 bits, in the low ones.
inline double double_from_bits(std::uint16_t bits, ElementType type) {
  if (type == ElementType::f16) return double_from_f16(bits);
  return type == ElementType::bf16 ? double_from_bf16(bits) : double_from_float8(static_cast<std::uint8_t>(bits), type);
}
inline std::uint16_t bits_from_double(double x, ElementType type) {
  if (type == ElementType::f16) return f16_from_double(x);
  return type == ElementType::bf16 ? bf16_from_double(x) : float8_from_double(x, type);
}

/// `x` rounded once to a binary format with `precision` significant bits (the implicit one included) whose
/// smallest normal number is 2^min_exponent; gradual underflow, no upper limit. TensorFloat-32 is (11, -126).
double rounded_to(double x, int precision, int min_exponent);

/// What storing `x` as a real `type` keeps of it; 8 bits do not saturate (float8.h).
double stored_as(double x, ElementType type);

/// Distance between the numbers of `type` around `x` (its unit in the last place). Below the smallest normal
/// number it is that of the smallest normal number.
double spacing(double x, ElementType type);

/// Where the numbers of `type` become subnormal.
double smallest_normal_of(ElementType type);

}  // namespace assay::spec
