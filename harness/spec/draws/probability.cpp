// SPDX-License-Identifier: Apache-2.0
// Rows (the last axis) that are distributions.
#include <fmt/format.h>

#include "assay/spec/draw.h"

namespace assay::spec {
namespace {

std::string obstacle(const DrawnInput& input) {
  const double zeros = input.number("zeros", 0);
  return zeros >= 0 && zeros < 1 ? "" : fmt::format("zeros must be at least 0 and below 1, got {}", zeros);
}

std::vector<double> draw(const DrawnInput& input, RandomSource& random) {
  const double zeros = input.number("zeros", 0);
  const auto columns = static_cast<std::size_t>(input.columns());
  std::vector<double> values(static_cast<std::size_t>(element_count(input.shape)));
  for (std::size_t begin = 0; begin < values.size(); begin += columns) {
    const std::size_t kept = zeros > 0 ? random.below(columns) : 0;  // a row of nothing but zeros has no sum
    double total = 0;
    for (std::size_t i = 0; i < columns; ++i) {
      const double weight = 0.05 + random.uniform();
      const bool is_zero = zeros > 0 && random.uniform() < zeros && i != kept;
      total += values[begin + i] = is_zero ? 0 : weight;
    }
    for (std::size_t i = 0; i < columns; ++i) values[begin + i] /= total;
  }
  return values;
}

const bool kProbability =
    define_draw({.name = "probability",
                 .types = {ElementClass::real},
                 .parameters = {{"zeros", DrawParameter::Kind::number}},
                 .promise =
                     [](const TensorSpec& spec, const InputInit& init) {
                       const auto zeros = init.numbers.find("zeros");
                       const bool positive = zeros == init.numbers.end() || zeros->second == 0;
                       return fmt::format("no element is {}, and {} sums to 1, but for rounding.", positive ? "0 or below" : "below 0",
                                          spec.shape.size() > 1 ? "each row" : "it");
                     },
                 .obstacle = obstacle,
                 .draw = draw});

}  // namespace
}  // namespace assay::spec
