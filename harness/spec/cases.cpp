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

/// The extent `delta` away from the largest power of two within the lowest 1/`part` of the range, so that a
/// kernel with any vector width or tile has a remainder while the case stays small.
std::int64_t near_power_of_two(const DimRange& range, std::int64_t delta, std::int64_t part = 2) {
  const auto limit = static_cast<std::uint64_t>(std::max<std::int64_t>(2, (range.low + range.high) / part));
  return on_step(range, static_cast<std::int64_t>(std::bit_floor(limit)) + delta);
}

/// A class of values that a kernel may be wrong on though it is right on normal data, and its parameters for
/// a type.
struct ValueClass {
  const char* kind;
  int low = 0, high = 0;  ///< exponents for float and wider, and for bfloat16; both 0: the kind has none
  int half_low = 0, half_high = 0;  ///< exponents for float16
};
// Large: squares overflow, sums of 65,536 do not: whether a partial sum overflows would depend on its order.
constexpr ValueClass kValueClasses[] = {{"special"},
                                        {"log_uniform", -60, 60, -14, 8},
                                        {"large", 96, 112, 8, 12},
                                        {"subnormal", -149, -126, -24, -14},
                                        {"cancellation"},
                                        {"ties"},
                                        {"sorted"},
                                        {"reversed"},
                                        {"spikes"}};

InputInit init_of(const ValueClass& value_class, ElementType type) {
  InputInit init;
  init.kind = value_class.kind;
  if (value_class.low != value_class.high) {
    const bool half = type == ElementType::f16;
    init.numbers = {{"low", half ? value_class.half_low : value_class.low},
                    {"high", half ? value_class.half_high : value_class.high}};
  }
  return init;
}

}  // namespace

std::vector<Case> usual_cases(const Task& task) {
  Case smallest{"smallest", {}, {}}, below{"below_power_of_two", {}, {}}, at{"at_power_of_two", {}, {}},
      above{"above_power_of_two", {}, {}};
  for (const auto& [name, range] : task.dim_ranges) {
    smallest.dims[name] = fixed(range.low);
    below.dims[name] = fixed(near_power_of_two(range, -1));
    at.dims[name] = fixed(near_power_of_two(range, 0));
    above.dims[name] = fixed(near_power_of_two(range, +1));
  }
  std::vector<Case> cases = {smallest, below, at, above};
  for (const ValueClass& value_class : kValueClasses) {
    Case entry{value_class.kind, {}, {}};
    for (const auto& [name, range] : task.dim_ranges)
      entry.dims[name] = fixed(near_power_of_two(range, -1, 4));
    for (const TensorSpec& input : task.model.inputs) {
      const auto given = task.inputs.find(input.name);
      const bool plain =
          given == task.inputs.end() || (given->second.kind == "normal" && given->second.numbers.empty());
      if (plain && info(input.type).element_class == ElementClass::real)
        entry.inputs[input.name] = init_of(value_class, input.type);
    }
    if (!entry.inputs.empty()) cases.push_back(std::move(entry));
  }
  for (const char* name : {"drawn_1", "drawn_2", "drawn_3"}) cases.push_back({name, task.dim_ranges, {}});
  return cases;
}

InputInit default_init(ElementType type) {
  InputInit init;
  switch (info(type).element_class) {
    case ElementClass::real:
      init.kind = "normal";
      break;
    case ElementClass::integer:
      init.kind = "integer";
      break;
    case ElementClass::boolean:
      init.kind = "bernoulli";
      break;
  }
  return init;
}

}  // namespace assay
