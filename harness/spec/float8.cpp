// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/float8.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace assay::spec {
namespace {

struct Format {
  int fraction_bits, bias;
  int largest;  ///< pattern of the largest number
  int beyond;   ///< pattern of what is larger
  int nan;
};

Format format_of(ElementType type) {
  return type == ElementType::f8e4m3 ? Format{3, 7, 0x7e, 0x7f, 0x7f} : Format{2, 15, 0x7b, 0x7c, 0x7e};
}

using Numbers = std::array<double, 256>;

double number_of(int bits, const Format& format) {
  const int magnitude = bits & 0x7f, fraction = magnitude & ((1 << format.fraction_bits) - 1), exponent = magnitude >> format.fraction_bits;
  const double sign = (bits & 0x80) != 0 ? -1 : 1;
  if (magnitude > format.largest) {
    const bool is_infinite = magnitude == format.beyond && format.beyond != format.nan;
    return is_infinite ? sign * std::numeric_limits<double>::infinity() : std::nan("");
  }
  const int leading = exponent == 0 ? 0 : 1 << format.fraction_bits;
  return sign * std::ldexp(leading + fraction, std::max(exponent, 1) - format.bias - format.fraction_bits);
}

Numbers numbers_of(const Format& format) {
  Numbers numbers;
  for (int bits = 0; bits < 256; ++bits) numbers[static_cast<std::size_t>(bits)] = number_of(bits, format);
  return numbers;
}

/// A number's binary exponent: -1023 of zeros and subnormals, 1024 of infinities.
int exponent_of(double magnitude) { return static_cast<int>(std::bit_cast<std::uint64_t>(magnitude) >> 52) - 1023; }

double power_of_two(int exponent) { return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52); }

}  // namespace

double double_from_float8(std::uint8_t bits, ElementType type) {
  static const Numbers e4m3 = numbers_of(format_of(ElementType::f8e4m3)), e5m2 = numbers_of(format_of(ElementType::f8e5m2));
  return (type == ElementType::f8e4m3 ? e4m3 : e5m2)[bits];
}

std::uint8_t float8_from_double(double x, ElementType type) {
  const Format format = format_of(type);
  const int sign = std::signbit(x) ? 0x80 : 0;
  if (std::isnan(x)) return static_cast<std::uint8_t>(sign | format.nan);
  const double magnitude = std::abs(x);
  const int least = 1 - format.bias;
  const int exponent = std::max(exponent_of(magnitude), least);
  if (exponent > 15) return static_cast<std::uint8_t>(sign | format.beyond);
  // The significand's leading one carries into the exponent field; a subnormal has none to carry.
  constexpr double rounding = 0x1p52;  // a sum with it has no fraction
  const int significand = static_cast<int>(magnitude * power_of_two(format.fraction_bits - exponent) + rounding - rounding);
  const int pattern = ((exponent - least) << format.fraction_bits) + significand;
  return static_cast<std::uint8_t>(sign | (pattern > format.largest ? format.beyond : pattern));
}

double saturated(double x, ElementType type) {
  const double largest = double_from_float8(static_cast<std::uint8_t>(format_of(type).largest), type);
  return std::isnan(x) ? x : std::clamp(x, -largest, largest);
}

}  // namespace assay::spec
