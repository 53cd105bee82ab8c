// SPDX-License-Identifier: Apache-2.0
#include "input_inits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <set>

#include "assay/spec/draw.h"
#include "extent.h"

namespace assay::spec {
namespace {

using Kind = DrawParameter::Kind;

/// Distributions and classes of values, which promise nothing, with their parameters. The others are in draws/.
const std::map<std::string, std::vector<std::string>>& plain_kinds() {
  static const std::map<std::string, std::vector<std::string>> kinds = {{"normal", {"mean", "std"}},
                                                                        {"uniform", {"low", "high"}},
                                                                        {"integer", {"low", "high"}},
                                                                        {"bernoulli", {"p"}},
                                                                        {"kaiming", {"fan_in"}},
                                                                        {"constant", {"value"}},
                                                                        {"mixed", {}},
                                                                        {"log_uniform", {"low", "high"}},
                                                                        {"large", {"low", "high"}},
                                                                        {"subnormal", {"low", "high"}},
                                                                        {"cancellation", {}},
                                                                        {"ties", {}},
                                                                        {"sorted", {}},
                                                                        {"reversed", {}},
                                                                        {"spikes", {}},
                                                                        {"extremes", {}},
                                                                        {"special", {}},
                                                                        {"special_finite", {}},
                                                                        {"zeros", {}},
                                                                        {"ones", {}}};
  return kinds;
}

std::vector<DrawParameter> parameters_of(const std::string& kind) {
  if (const Draw* draw = find_draw(kind)) return draw->parameters;
  std::vector<DrawParameter> parameters;
  for (const std::string& name : plain_kinds().at(kind)) parameters.push_back({name, Kind::number});
  return parameters;
}

class InitReader {
 public:
  InitReader(const YamlFile& file, const std::string& who, const TensorSpec& spec, const Task& task)
      : file_(file), who_(who), spec_(spec), task_(task) {}

  InputInit read(const YAML::Node& node) {
    init_.location = file_.at(node);
    if (!node.IsScalar()) file_.require_keys(node, who_, {});
    const YAML::Node kind = node.IsScalar() ? node : file_.require(node, who_, "init");
    init_.kind = file_.text(kind, node.IsScalar() ? who_ : who_ + ": init");
    require_kind(kind);
    const auto parameters = parameters_of(init_.kind);
    if (node.IsMap())
      for (const auto& entry : node) read_entry(entry.first, entry.second, parameters);
    for (const DrawParameter& parameter : parameters)
      if (parameter.required && !init_.names.contains(parameter.name) && !init_.numbers.contains(parameter.name))
        file_.fail(node, fmt::format("{}: init '{}' needs '{}'. do: add it", who_, init_.kind, parameter.name));
    return init_;
  }

 private:
  void require_kind(const YAML::Node& node) const {
    const Draw* draw = find_draw(init_.kind);
    if (draw == nullptr && !plain_kinds().contains(init_.kind)) {
      std::set<std::string> kinds;
      for (const auto& [name, unused] : plain_kinds()) kinds.insert(name);
      for (const auto& [name, unused] : all_draws()) kinds.insert(name);
      file_.fail(node, fmt::format("{}: unknown init '{}'. known: {}", who_, init_.kind, fmt::join(kinds, " ")));
    }
    if (draw != nullptr && std::ranges::find(draw->types, info(spec_.type).element_class) == draw->types.end())
      file_.fail(node, fmt::format("{}: init '{}' does not suit {}. do: give the tensor another type, or another init", who_, init_.kind,
                                   info(spec_.type).onnx_name));
  }

  void read_entry(const YAML::Node& name, const YAML::Node& value, const std::vector<DrawParameter>& parameters) {
    const auto key = name.as<std::string>();
    const std::string who = who_ + ": " + key;
    if (key == "init") return;
    if (key == "role") {
      init_.role = file_.text(value, who);
      return;
    }
    const auto parameter = std::ranges::find(parameters, key, &DrawParameter::name);
    if (parameter == parameters.end()) file_.fail(name, fmt::format("{}: init '{}' has no parameter '{}'", who_, init_.kind, key));
    switch (parameter->kind) {
      case Kind::number: return read_number(value, who, key);
      case Kind::flag: init_.numbers[key] = file_.flag(value, who) ? 1 : 0; return;
      case Kind::extent: return read_extent(value, who, key);
      case Kind::input: init_.names[key] = file_.text(value, who); return require_input(value, who, init_.names[key]);
      case Kind::word:
        init_.names[key] = file_.text(value, who);
        if (std::ranges::find(parameter->words, init_.names[key]) == parameter->words.end())
          file_.fail(value, fmt::format("{}: must be one of {}, got '{}'", who, fmt::join(parameter->words, " "), init_.names[key]));
    }
  }

  /// fan_in may name a dimension; it is resolved when a case binds it.
  void read_number(const YAML::Node& value, const std::string& who, const std::string& key) {
    if (key == "fan_in" && std::ranges::find(task_.dims, file_.text(value, who)) != task_.dims.end()) init_.names["of"] = value.Scalar();
    else init_.numbers[key] = file_.number(value, who);
  }

  void read_extent(const YAML::Node& value, const std::string& who, const std::string& key) {
    const std::string text = file_.text(value, who);
    for (const std::string& factor : factors_of(text)) {
      constexpr std::size_t kMostDigits = 12;
      const bool number =
          !factor.empty() && factor.size() <= kMostDigits && std::ranges::all_of(factor, [](char c) { return c >= '0' && c <= '9'; });
      if (!number && std::ranges::find(task_.free_dims, factor) == task_.free_dims.end())
        file_.fail(value, fmt::format("{}: must be a dimension of an input, a number or a product of them (M * 16), got '{}'. known: {}",
                                      who, text, fmt::join(task_.free_dims, " ")));
    }
    init_.names[key] = text;
  }

  void require_input(const YAML::Node& value, const std::string& who, const std::string& name) const {
    if (name != spec_.name && std::ranges::find(task_.model.inputs, name, &TensorSpec::name) != task_.model.inputs.end()) return;
    file_.fail(value, fmt::format("{}: must be another input, got '{}'", who, name));
  }

  const YamlFile& file_;
  const std::string& who_;
  const TensorSpec& spec_;
  const Task& task_;
  InputInit init_;
};

/// Where draws are asked of: a case, or a timing shape.
struct Place {
  std::string who;
  const DimRanges& dims;
  const std::map<std::string, InputInit>& overrides;
};

/// Names of dimensions that bear on structured draws at `place`, and have a range there.
std::vector<std::string> ranged_dims(const Task& task, const Place& place) {
  std::set<std::string> names;
  const auto add = [&](const std::string& name) {
    const auto range = place.dims.find(name);
    if (range != place.dims.end() && !range->second.constant()) names.insert(name);
  };
  for (const TensorSpec& spec : task.model.inputs) {
    const auto own = place.overrides.find(spec.name);
    const InputInit& init = own != place.overrides.end() ? own->second : task.inputs.at(spec.name);
    const Draw* draw = find_draw(init.kind);
    if (draw == nullptr) continue;
    for (const Dim& dim : spec.shape) add(dim.name);
    for (const DrawParameter& parameter : draw->parameters)
      if (parameter.kind == Kind::extent && init.names.contains(parameter.name))
        for (const std::string& factor : factors_of(init.names.at(parameter.name))) add(factor);
  }
  return {names.begin(), names.end()};
}

void require_related(const DrawnInput& input, const Draw& draw) {
  for (const DrawParameter& parameter : draw.parameters) {
    const auto found = input.related.find(parameter.name);
    if (found == input.related.end()) continue;
    const DrawnInput& other = *found->second;
    if (std::ranges::find(parameter.words, other.init.kind) == parameter.words.end())
      throw SpecError(input.init.location,
                      fmt::format("inputs: {}: {}: '{}' is drawn as '{}'. do: draw it as {}", input.spec.name, parameter.name,
                                  other.spec.name, other.init.kind, fmt::join(parameter.words, " or ")));
  }
}

/// At one choice of all dimensions.
void require_drawable_at(const Task& task, const Place& place, const std::map<std::string, std::int64_t>& dims) {
  for (const DrawnInput& input : inputs_at(task, place.overrides, dims)) {
    const Draw* draw = find_draw(input.init.kind);
    if (draw == nullptr) continue;
    require_related(input, *draw);
    const std::string obstacle = draw->obstacle(input);
    if (obstacle.empty()) continue;
    std::vector<std::string> chosen;
    for (const auto& [name, extent] : dims) chosen.push_back(fmt::format("{} = {}", name, extent));
    throw SpecError(input.init.location,
                    fmt::format("inputs: {}: init '{}' cannot be met in {} with {}: {}. do: change the draw, or those dims",
                                input.spec.name, draw->name, place.who, fmt::join(chosen, ", "), obstacle));
  }
}

/// What stands in the way grows or shrinks with each dimension: it shows where all are at an end of their range.
void require_drawable_in(const Task& task, const Place& place) {
  constexpr std::size_t kMostDims = 12;  // of 4,096 ends; beyond them the rest stays low
  std::vector<std::string> ranged = ranged_dims(task, place);
  if (ranged.size() > kMostDims) ranged.resize(kMostDims);
  for (std::size_t ends = 0; ends < std::size_t{1} << ranged.size(); ++ends) {
    std::map<std::string, std::int64_t> dims;
    for (const auto& [name, range] : place.dims) dims[name] = range.low;
    for (std::size_t i = 0; i < ranged.size(); ++i)
      if ((ends >> i & 1) != 0) dims[ranged[i]] = place.dims.at(ranged[i]).high;
    require_drawable_at(task, place, dims);
  }
}

/// The prompt says one thing of all cases.
void require_promises_kept(const Task& task, const Case& entry) {
  for (const TensorSpec& spec : task.model.inputs) {
    const auto own = entry.inputs.find(spec.name);
    const Draw* usual = find_draw(task.inputs.at(spec.name).kind);
    if (own == entry.inputs.end() || usual == nullptr) continue;
    const Draw* draw = find_draw(own->second.kind);
    const std::string promise = usual->promise(spec, task.inputs.at(spec.name));
    if (promise.empty() || (draw != nullptr && draw->promise(spec, own->second) == promise)) continue;
    throw SpecError(own->second.location,
                    fmt::format("case '{0}': inputs: {1}: breaks what the prompt promises: `{1}`: {2} do: draw it as inputs: {1} says, or "
                                "promise less there",
                                entry.name, spec.name, promise));
  }
}

}  // namespace

InputInit read_init(const YamlFile& file, const YAML::Node& node, const std::string& who, const TensorSpec& spec, const Task& task) {
  return InitReader(file, who, spec, task).read(node);
}

std::map<std::string, InputInit> read_inputs(const YamlFile& file, const YAML::Node& node, const std::string& who, const Task& task) {
  std::map<std::string, InputInit> inputs;
  if (!node) return inputs;
  std::vector<std::string> names;
  for (const TensorSpec& input : task.model.inputs) names.push_back(input.name);
  file.require_keys(node, who, names);
  for (const auto& entry : node) {
    const std::string name = file.key(entry.first);
    inputs[name] = read_init(file, entry.second, who + ": " + name, *std::ranges::find(task.model.inputs, name, &TensorSpec::name), task);
  }
  return inputs;
}

void require_drawable(const Task& task, const Case& entry) {
  require_promises_kept(task, entry);
  require_drawable_in(task, {fmt::format("case '{}'", entry.name), entry.dims, entry.inputs});
}

void require_drawable(const Task& task) {
  for (const Case& entry : task.cases) require_drawable(task, entry);
  for (const auto& [target, shapes] : task.timing)
    for (const DimRanges& dims : shapes) require_drawable_in(task, {"timing: " + target, dims, {}});
}

}  // namespace assay::spec
