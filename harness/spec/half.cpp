// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/half.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace assay::spec {
namespace {

struct Format {
  int fraction_bits, exponent_bits;
  constexpr int min_exponent() const { return 2 - (1 << (exponent_bits - 1)); }
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

/// A number's binary exponent: -1023 of zeros and subnormals, 1024 of infinities.
int exponent_of(double magnitude) { return static_cast<int>(std::bit_cast<std::uint64_t>(magnitude) >> 52) - 1023; }

double power_of_two(int exponent) { return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52); }

std::uint16_t encode(double x, Format format) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(x) ? 0x8000 : 0);
  const auto infinity = static_cast<std::uint16_t>(((1 << format.exponent_bits) - 1) << format.fraction_bits);
  if (std::isnan(x)) return static_cast<std::uint16_t>(sign | infinity | (1 << (format.fraction_bits - 1)));
  const double magnitude = std::abs(x);
  const int least = format.min_exponent(), exponent = std::max(exponent_of(magnitude), least);
  if (exponent > 127) return static_cast<std::uint16_t>(sign | infinity);
  // The significand's leading one carries into the exponent field; a subnormal has none to carry.
  constexpr double rounding = 0x1p52;  // a sum with it has no fraction
  const auto significand = static_cast<int>(magnitude * power_of_two(format.fraction_bits - exponent) + rounding - rounding);
  const int pattern = ((exponent - least) << format.fraction_bits) + significand;
  return static_cast<std::uint16_t>(sign | std::min<int>(pattern, infinity));
}

}  // namespace

std::uint16_t f16_from_double(double x) { return encode(x, kF16); }
std::uint16_t bf16_from_double(double x) { return encode(x, kBf16); }

double rounded_to(double x, int precision, int min_exponent) {
  if (!std::isfinite(x) || x == 0) return x;
  const int quantum = exponent_within(std::abs(x), min_exponent) - (precision - 1);
  return std::ldexp(std::nearbyint(std::ldexp(x, -quantum)), quantum);
}

namespace {

/// Of 16 bits. A number in the type's range of normal numbers, below its largest power of two, is rounded in the double's own bits.
template <Format format>
double stored_as_half(double x, ElementType type) {
  constexpr int least = format.min_exponent(), dropped = 52 - format.fraction_bits;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  if (exponent < least || exponent >= 1 - least) return double_from_bits(bits_from_double(x, type), type);
  const std::uint64_t half = (std::uint64_t{1} << (dropped - 1)) - 1 + (bits >> dropped & 1);
  return std::bit_cast<double>((bits + half) >> dropped << dropped);
}

}  // namespace

double stored_as(double x, ElementType type) {
  switch (type) {
    case ElementType::f16: return stored_as_half<kF16>(x, type);
    case ElementType::bf16: return stored_as_half<kBf16>(x, type);
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
