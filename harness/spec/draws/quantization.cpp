// SPDX-License-Identifier: Apache-2.0
// What quantised numbers come with: scales and zero points.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/spec/draw.h"
#include "assay/spec/half.h"

namespace assay::spec {
namespace {

struct Exponents {
  int low, high;
};

Exponents exponents(const DrawnInput& input) {
  return {static_cast<int>(input.integer("low", -8)), static_cast<int>(input.integer("high", 0))};
}

std::string scales_obstacle(const DrawnInput& input) {
  const Exponents range = exponents(input);
  const int least = std::max(-126, std::ilogb(smallest_normal_of(input.spec.type))), most = 1 - least;
  if (range.low < range.high && range.low >= least && range.high <= most) return "";
  return fmt::format("needs {} <= low < high <= {} (exponents of two), got {} and {}", least, most, range.low, range.high);
}

std::string scales_promise(const TensorSpec&, const InputInit& init) {
  const auto of = [&](const char* name, double fallback) {
    const auto found = init.numbers.find(name);
    return found == init.numbers.end() ? fallback : found->second;
  };
  return fmt::format("every element is {}positive: at least 2^{}, at most 2^{}.", of("power_of_two", 0) != 0 ? "a power of two, and " : "",
                     of("low", -8), of("high", 0));
}

std::vector<double> draw_scales(const DrawnInput& input, RandomSource& random) {
  const Exponents range = exponents(input);
  const bool power = input.flag("power_of_two");
  std::vector<double> scales(static_cast<std::size_t>(element_count(input.shape)));
  for (double& scale : scales) {
    const int exponent = range.low + static_cast<int>(random.below(static_cast<std::uint64_t>(range.high - range.low)));
    scale = std::ldexp(power ? 1 : 1 + random.uniform(), exponent);
  }
  return scales;
}

std::string points_obstacle(const DrawnInput& input) {
  return size_of(input.spec.type) <= 4 ? "" : "must be of an integer type of at most 32 bits";
}

std::vector<double> draw_points(const DrawnInput& input, RandomSource& random) {
  const auto numbers = std::uint64_t{1} << (8 * size_of(input.spec.type));
  const bool has_sign = !info(input.spec.type).onnx_name.starts_with('u');
  std::vector<double> points(static_cast<std::size_t>(element_count(input.shape)));
  for (double& point : points) point = static_cast<double>(random.below(numbers)) - (has_sign ? static_cast<double>(numbers / 2) : 0);
  return points;
}

using Kind = DrawParameter::Kind;
const bool kScales = define_draw({.name = "scales",
                                  .types = {ElementClass::real},
                                  .parameters = {{"low", Kind::number}, {"high", Kind::number}, {"power_of_two", Kind::flag}},
                                  .promise = scales_promise,
                                  .obstacle = scales_obstacle,
                                  .draw = draw_scales});
const bool kZeroPoints = define_draw({.name = "zero_points",
                                      .types = {ElementClass::integer},
                                      .parameters = {},
                                      .promise = [](const TensorSpec&, const InputInit&) { return std::string(); },
                                      .obstacle = points_obstacle,
                                      .draw = draw_points});

}  // namespace
}  // namespace assay::spec
