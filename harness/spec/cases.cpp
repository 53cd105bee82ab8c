// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/cases.h"

#include <algorithm>
#include <bit>
#include <string_view>

#include "assay/spec/dim_expression.h"
#include "assay/spec/name.h"

namespace assay::spec {
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
struct Exponents {
  int low = 0, high = 0;
};
struct ValueClass {
  const char* name;
  const char* kind;
  Exponents wide = {};  ///< for float and wider, and for bfloat16; both 0: the kind has none
  Exponents half = {};  ///< for float16
  Exponents e4m3 = {}, e5m2 = {};

  const Exponents& of(ElementType type) const {
    return type == ElementType::f16 ? half : type == ElementType::f8e4m3 ? e4m3 : type == ElementType::f8e5m2 ? e5m2 : wide;
  }
};
// Large: squares overflow, sums of 65,536 do not. Largest: up to a quarter of what the type holds, since
// honest kernels differ in whether they subtract two of them first; where a longer sum overflows in some order, no bound is
// set (overflows_in_some_order).
constexpr ValueClass kValueClasses[] = {{"special", "special"},
                                        {"log_uniform", "log_uniform", {-60, 60}, {-14, 8}, {-9, 8}, {-16, 15}},
                                        {"large", "large", {96, 112}, {8, 12}, {4, 7}, {8, 12}},
                                        {"largest", "large", {112, 126}, {12, 15}, {7, 9}, {12, 16}},
                                        {"subnormal", "subnormal", {-149, -126}, {-24, -14}, {-9, -6}, {-16, -14}},
                                        {"cancellation", "cancellation"},
                                        {"ties", "ties"},
                                        {"sorted", "sorted"},
                                        {"reversed", "reversed"},
                                        {"spikes", "spikes"}};

/// The inputs that are drawn as the task says nothing of: those that stand for any data.
std::vector<const TensorSpec*> plain_inputs(const Task& task) {
  std::vector<const TensorSpec*> plain;
  for (const TensorSpec& input : task.model.inputs) {
    const auto given = task.inputs.find(input.name);
    const bool is_default = given == task.inputs.end() || (given->second.kind == "normal" && given->second.numbers.empty());
    if (is_default && is_real(input.type)) plain.push_back(&input);
  }
  return plain;
}

/// Slices of the first such input are each of another class of values; beside it the others are as ever, so that the class of
/// a slice shows in the outputs that depend on it alone.
std::map<std::string, InputInit> mixed_inputs(const Task& task) {
  std::map<std::string, InputInit> inputs;
  if (const auto plain = plain_inputs(task); !plain.empty()) inputs[plain.front()->name].kind = "mixed";
  return inputs;
}

InputInit init_of(const ValueClass& value_class, ElementType type) {
  InputInit init;
  init.kind = value_class.kind;
  if (const auto [low, high] = value_class.of(type); low != high) init.numbers = {{"low", low}, {"high", high}};
  return init;
}

/// Elements of all inputs at the largest extents of `dims`.
double elements(const Task& task, const DimRanges& dims) {
  Dims largest;
  for (const auto& [name, range] : dims) largest[name] = range.high;
  double count = 0;
  for (const TensorSpec& input : task.model.inputs) {
    double extents = 1;
    for (const Dim& dim : input.shape) extents *= static_cast<double>(extent_of(dim, largest));
    count += extents;
  }
  return count;
}

/// In the inputs of a case: judging a candidate takes a few hundredths of a second, most of it this.
constexpr double kMostElements = 1 << 17;

/// All dimensions at their largest at once; where that is too much for a case, the largest is halved until it is not.
Case largest_extents(const Task& task) {
  Case entry{"largest_extents", {}, mixed_inputs(task)};
  for (const auto& [name, range] : task.dim_ranges) entry.dims[name] = fixed(range.high);
  for (const auto by_extent = [](const auto&a, const auto&b) { return a.second.high < b.second.high; };
       elements(task, entry.dims) > kMostElements;) {
    const auto largest = std::ranges::max_element(entry.dims, by_extent);
    const DimRange& range = task.dim_ranges.at(largest->first);
    const std::int64_t half = on_step(range, largest->second.high / 2);
    if (half == largest->second.high) break;
    largest->second = fixed(half);
  }
  return entry;
}

/// The largest extents that a processor's timing shapes give each dimension.
std::map<std::string, std::int64_t> timed_extents(const Task& task) {
  std::map<std::string, std::int64_t> largest;
  if (const auto timing = task.timing.find("cpu"); timing != task.timing.end())
    for (const DimRanges& shape : timing->second)
      for (const auto& [name, range] : shape) largest[name] = std::max(largest[name], range.high);
  return largest;
}

/// For each dimension one case where it alone is as large as it is timed: what is wrong for long sums or rows is not left to
/// the bench stage.
std::vector<Case> timed_extent_cases(const Task& task) {
  constexpr std::int64_t kSmall = 5;
  std::vector<Case> cases;
  for (const auto& [timed, extent] : timed_extents(task)) {
    Case entry{"timed_" + lower_case(timed), {}, mixed_inputs(task)};
    for (const auto& [name, range] : task.dim_ranges) entry.dims[name] = fixed(name == timed ? extent : on_step(range, kSmall));
    if (extent > task.dim_ranges.at(timed).high && elements(task, entry.dims) <= kMostElements) cases.push_back(std::move(entry));
  }
  return cases;
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
    Case entry{value_class.name, {}, {}};
    for (const auto& [name, range] : task.dim_ranges) entry.dims[name] = fixed(near_power_of_two(range, -1, 4));
    for (const TensorSpec* input : plain_inputs(task)) entry.inputs[input->name] = init_of(value_class, input->type);
    if (!entry.inputs.empty()) cases.push_back(std::move(entry));
  }
  cases.push_back(largest_extents(task));
  for (Case& entry : timed_extent_cases(task)) cases.push_back(std::move(entry));
  for (const char* name : {"drawn_1", "drawn_2", "drawn_3"}) cases.push_back({name, task.dim_ranges, {}});
  return cases;
}

std::vector<Case> long_cases(const Task& task) {
  constexpr std::int64_t kLong = 263;  // half of it is more than 8 bits hold
  constexpr double kMost = 1 << 15;    // a dimension that is small elsewhere may cost much where it is long
  std::map<std::string, std::int64_t> largest = timed_extents(task);
  for (const Case& entry : task.cases)
    for (const auto& [name, range] : entry.dims) largest[name] = std::max(largest[name], range.high);
  std::vector<Case> cases;
  for (const auto& [longer, its_range] : task.dim_ranges) {
    if (its_range.constant() || largest[longer] >= kLong) continue;
    const std::int64_t steps = (kLong - its_range.low + its_range.step - 1) / its_range.step;
    for (const std::int64_t others : {3, 2, 1}) {
      Case entry{"long_" + lower_case(longer), {}, {}};
      for (const auto& [name, range] : task.dim_ranges) entry.dims[name] = fixed(on_step(range, others));
      entry.dims[longer] = fixed(its_range.low + steps * its_range.step);
      if (elements(task, entry.dims) > kMost) continue;
      cases.push_back(std::move(entry));
      break;
    }
  }
  return cases;
}

std::vector<InputInit> mixed_classes(ElementType type) {
  std::vector<InputInit> classes;
  const auto normal = [&](double mean, double deviation) { classes.push_back({"normal", {{"mean", mean}, {"std", deviation}}}); };
  normal(0, 1);
  normal(0, 60);                                 // a function's flat ends; exponentials overflow
  normal(is_short_real(type) ? 300 : 20000, 1);  // a variance far below the squared mean
  for (const ValueClass& value_class : kValueClasses) classes.push_back(init_of(value_class, type));
  return classes;
}

std::vector<Case> probes(const Task& task) {
  std::vector<Case> all;
  const auto plain = plain_inputs(task);
  if (plain.empty()) return all;
  const auto add = [&](const char* name, auto&& init) {
    Case entry{name, {}, {}};
    for (const TensorSpec* input : plain) entry.inputs[input->name] = init(input->type);
    all.push_back(std::move(entry));
  };
  all.push_back({"mixed", {}, mixed_inputs(task)});
  for (const std::string_view wanted : {"special", "log_uniform", "largest"}) {
    const auto found = std::ranges::find(task.cases, wanted, &Case::name);
    if (found != task.cases.end()) all.push_back({found->name, {}, found->inputs});
  }
  add("wide", [](ElementType type) { return mixed_classes(type)[1]; });
  add("offset", [](ElementType type) { return mixed_classes(type)[2]; });
  return all;
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

bool is_drawn_normal(const Task& task, const TensorSpec& input) {
  return is_real(input.type) && task.inputs.at(input.name).kind == "normal";
}

}  // namespace assay::spec
