// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/float8.h"

#include <algorithm>
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

}  // namespace

double double_from_float8(std::uint8_t bits, ElementType type) {
  const Format format = format_of(type);
  const int magnitude = bits & 0x7f, fraction = magnitude & ((1 << format.fraction_bits) - 1), exponent = magnitude >> format.fraction_bits;
  const double sign = (bits & 0x80) != 0 ? -1 : 1;
  if (magnitude > format.largest) {
    const bool is_infinite = magnitude == format.beyond && format.beyond != format.nan;
    return is_infinite ? sign * std::numeric_limits<double>::infinity() : std::nan("");
  }
  const int leading = exponent == 0 ? 0 : 1 << format.fraction_bits;
  return sign * std::ldexp(leading + fraction, std::max(exponent, 1) - format.bias - format.fraction_bits);
}

std::uint8_t float8_from_double(double x, ElementType type) {
  const Format format = format_of(type);
  const int sign = std::signbit(x) ? 0x80 : 0;
  if (std::isnan(x)) return static_cast<std::uint8_t>(sign | format.nan);
  const double magnitude = std::abs(x);
  const int least = 1 - format.bias;
  const int exponent = magnitude == 0 ? least : std::isinf(x) ? 16 : std::clamp(std::ilogb(magnitude), least, 16);
  if (exponent == 16) return static_cast<std::uint8_t>(sign | format.beyond);
  // The significand's leading one carries into the exponent field; a subnormal has none to carry.
  const int significand = static_cast<int>(std::nearbyint(std::ldexp(magnitude, format.fraction_bits - exponent)));
  const int pattern = ((exponent - least) << format.fraction_bits) + significand;
  return static_cast<std::uint8_t>(sign | (pattern > format.largest ? format.beyond : pattern));
}

double saturated(double x, ElementType type) {
  const double largest = double_from_float8(static_cast<std::uint8_t>(format_of(type).largest), type);
  return std::isnan(x) ? x : std::clamp(x, -largest, largest);
}

}  // namespace assay::spec
