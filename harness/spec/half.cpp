// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/half.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "assay/spec/float8.h"

namespace assay::spec {
namespace {

struct Format {
  int fraction_bits, exponent_bits;
  int min_exponent() const { return 2 - (1 << (exponent_bits - 1)); }
};
constexpr Format kF16{10, 5}, kBf16{7, 8};

Format format_of(ElementType type) {
  switch (type) {
    case ElementType::f16: return kF16;
    case ElementType::bf16: return kBf16;
    case ElementType::f32: return {23, 8};
    case ElementType::f64: return {52, 11};
    case ElementType::f8e4m3: return {3, 4};
    case ElementType::f8e5m2: return {2, 5};
    default: throw std::invalid_argument("no floating-point type: " + std::string(info(type).onnx_name));
  }
}

int exponent_within(double magnitude, int min_exponent) {
  return magnitude == 0 ? min_exponent : std::max(std::ilogb(magnitude), min_exponent);
}

std::uint16_t encode(double x, Format format) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(x) ? 0x8000 : 0);
  const auto infinity = static_cast<std::uint16_t>(((1 << format.exponent_bits) - 1) << format.fraction_bits);
  if (std::isnan(x)) return static_cast<std::uint16_t>(sign | infinity | (1 << (format.fraction_bits - 1)));
  const double magnitude = std::abs(x);
  const int least = format.min_exponent();
  const int exponent = std::isinf(x) ? 128 : exponent_within(magnitude, least);
  if (exponent > 127) return static_cast<std::uint16_t>(sign | infinity);
  // The significand's leading one carries into the exponent field; a subnormal has none to carry.
  const auto significand = static_cast<int>(std::nearbyint(std::ldexp(magnitude, format.fraction_bits - exponent)));
  const int pattern = ((exponent - least) << format.fraction_bits) + significand;
  return static_cast<std::uint16_t>(sign | std::min<int>(pattern, infinity));
}

}  // namespace

double double_from_f16(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1f, fraction = bits & 0x3ff;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 0x1f) return fraction != 0 ? std::nan("") : sign * std::numeric_limits<double>::infinity();
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

double double_from_bf16(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

std::uint16_t f16_from_double(double x) { return encode(x, kF16); }
std::uint16_t bf16_from_double(double x) { return encode(x, kBf16); }

namespace {

/// Of a number in the type's range of normal numbers, below its largest power of two: rounds in the double's own bits.
double rounded_normal(double x, Format format) {
  const int dropped = 52 - format.fraction_bits;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t half = (std::uint64_t{1} << (dropped - 1)) - 1 + ((bits >> dropped) & 1);
  return std::bit_cast<double>((bits + half) >> dropped << dropped);
}

double stored_as_half(double x, ElementType type) {
  const Format format = format_of(type);
  const int least = format.min_exponent(), exponent = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff) - 1023;
  if (exponent >= least && exponent < 1 - least) return rounded_normal(x, format);
  return type == ElementType::f16 ? double_from_f16(f16_from_double(x)) : double_from_bf16(bf16_from_double(x));
}

}  // namespace

double rounded_to(double x, int precision, int min_exponent) {
  if (!std::isfinite(x) || x == 0) return x;
  const int quantum = exponent_within(std::abs(x), min_exponent) - (precision - 1);
  return std::ldexp(std::nearbyint(std::ldexp(x, -quantum)), quantum);
}

double stored_as(double x, ElementType type) {
  switch (type) {
    case ElementType::f16:
    case ElementType::bf16: return stored_as_half(x, type);
    case ElementType::f8e4m3:
    case ElementType::f8e5m2: return double_from_float8(float8_from_double(x, type), type);
    case ElementType::f32:
      // The conversion of a double beyond float's range is undefined.
      if (std::isfinite(x) && std::abs(x) >= 0x1.ffffffp127) return std::copysign(std::numeric_limits<double>::infinity(), x);
      return static_cast<float>(x);
    default: return x;
  }
}

double smallest_normal_of(ElementType type) { return std::ldexp(1.0, format_of(type).min_exponent()); }

double spacing(double x, ElementType type) {
  const Format format = format_of(type);
  const double magnitude = std::isfinite(x) ? std::abs(x) : 0;
  return std::ldexp(1.0, exponent_within(magnitude, format.min_exponent()) - format.fraction_bits);
}

}  // namespace assay::spec
