// SPDX-License-Identifier: Apache-2.0
// 0 and 1: which elements count.
#include <fmt/format.h>

#include <algorithm>

#include "assay/spec/draw.h"

namespace assay::spec {
namespace {

/// How many elements of `row` may be 1: all, or of a causal mask those up to the diagonal.
std::int64_t allowed(const DrawnInput& input, std::int64_t row) {
  if (!input.flag("causal")) return input.columns();
  return std::min(input.columns(), row % input.shape[input.shape.size() - 2] + 1);
}

std::string mask_promise(const TensorSpec& spec, const InputInit& init) {
  const bool boolean = info(spec.type).element_class == ElementClass::boolean;
  std::string text = boolean ? "" : "every element is 0 or 1";
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  const auto least = init.numbers.find("at_least"), causal = init.numbers.find("causal");
  if (causal != init.numbers.end() && causal->second != 0)
    add(fmt::format("above the diagonal of the last two axes all are {}", boolean ? "false" : "0"));
  if (least != init.numbers.end() && least->second > 0)
    add(fmt::format("at least {} of each row is {}", least->second, boolean ? "true" : "1"));
  return text.empty() ? text : text + ".";
}

std::string mask_obstacle(const DrawnInput& input) {
  const double share = input.number("share", 0.5);
  if (!(share >= 0 && share <= 1)) return fmt::format("share must be 0 to 1, got {}", share);
  if (input.flag("causal") && input.shape.size() < 2) return "a causal mask has two axes at least";
  const std::int64_t least = input.integer("at_least", 0);
  if (least > allowed(input, 0)) return fmt::format("{} of the {} in a row cannot be 1", least, allowed(input, 0));
  return "";
}

std::vector<double> draw_mask(const DrawnInput& input, RandomSource& random) {
  const double share = input.number("share", 0.5);
  const auto least = input.integer("at_least", 0);
  std::vector<double> mask;
  for (std::int64_t row = 0; row < input.rows(); ++row) {
    const std::size_t begin = mask.size();
    const auto open = static_cast<std::uint64_t>(allowed(input, row));
    std::int64_t ones = 0;
    for (std::uint64_t i = 0; i < open; ++i) {
      mask.push_back(random.uniform() < share ? 1 : 0);
      ones += mask.back() != 0;
    }
    for (std::uint64_t at = random.below(open); ones < least; at = (at + 1) % open) {
      ones += mask[begin + at] == 0;
      mask[begin + at] = 1;
    }
    mask.resize(begin + static_cast<std::size_t>(input.columns()), 0);
  }
  return mask;
}

using Kind = DrawParameter::Kind;
const bool kMask = define_draw({.name = "mask",
                                .types = {ElementClass::boolean, ElementClass::integer, ElementClass::real},
                                .parameters = {{"share", Kind::number}, {"at_least", Kind::number}, {"causal", Kind::flag}},
                                .promise = mask_promise,
                                .obstacle = mask_obstacle,
                                .draw = draw_mask});

}  // namespace
}  // namespace assay::spec
