// SPDX-License-Identifier: Apache-2.0
#include "cases.h"

#include <algorithm>
#include <bit>

namespace assay {
namespace {

std::int64_t on_step(const DimRange& range, std::int64_t wanted) {
  const std::int64_t clamped = std::clamp(wanted, range.low, range.high);
  return range.low + (clamped - range.low) / range.step * range.step;
}

DimRange fixed(std::int64_t value) { return {value, value, 1}; }

/// The extent `delta` away from the largest power of two that leaves it within the lower half of the range, so that
/// a kernel with any vector width or tile has a remainder while the case stays small.
std::int64_t near_power_of_two(const DimRange& range, std::int64_t delta) {
  const auto middle = static_cast<std::uint64_t>(std::max<std::int64_t>(2, (range.low + range.high) / 2));
  return on_step(range, static_cast<std::int64_t>(std::bit_floor(middle)) + delta);
}

}  // namespace

std::vector<Case> usual_cases(const Task& task) {
  Case smallest{"smallest", {}, {}}, below{"below_power_of_two", {}, {}}, above{"above_power_of_two", {}, {}};
  for (const auto& [name, range] : task.dim_ranges) {
    smallest.dims[name] = fixed(range.low);
    below.dims[name] = fixed(near_power_of_two(range, -1));
    above.dims[name] = fixed(near_power_of_two(range, +1));
  }
  std::vector<Case> cases = {smallest, below, above};
  Case special{"special", below.dims, {}};
  for (const TensorSpec& input : task.model.inputs) {
    const auto given = task.inputs.find(input.name);
    const bool plain = given == task.inputs.end() || given->second.kind == "normal";
    if (plain && info(input.type).element_class == ElementClass::real) special.inputs[input.name] = {"special", {}, "", false, ""};
  }
  if (!special.inputs.empty()) cases.push_back(std::move(special));
  for (const char* name : {"drawn_1", "drawn_2", "drawn_3"}) cases.push_back({name, task.dim_ranges, {}});
  return cases;
}

InputInit default_init(ElementType type) {
  InputInit init;
  switch (info(type).element_class) {
    case ElementClass::real: init.kind = "normal"; break;
    case ElementClass::integer: init.kind = "integer"; break;
    case ElementClass::boolean: init.kind = "bernoulli"; break;
  }
  return init;
}

}  // namespace assay
