// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/draw.h"

#include <fmt/format.h>

#include <algorithm>

#include "extent.h"

namespace assay::spec {
namespace {

std::map<std::string, Draw>& registry() {
  static std::map<std::string, Draw> draws;
  return draws;
}

}  // namespace

std::uint64_t RandomSource::below(std::uint64_t bound) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(bits()) * bound) >> 64);
}

double DrawnInput::number(const std::string& parameter, double fallback) const {
  const auto found = init.numbers.find(parameter);
  return found == init.numbers.end() ? fallback : found->second;
}

std::int64_t DrawnInput::integer(const std::string& parameter, std::int64_t fallback) const {
  return static_cast<std::int64_t>(number(parameter, static_cast<double>(fallback)));
}

std::int64_t DrawnInput::extent(const std::string& parameter) const { return extent_of(init.names.at(parameter), dims); }

std::int64_t DrawnInput::rows() const {
  std::int64_t rows = 1;
  for (std::size_t d = 0; d + 1 < shape.size(); ++d) rows *= shape[d];
  return rows;
}

bool define_draw(Draw draw) {
  const std::string name = draw.name;
  return registry().emplace(name, std::move(draw)).second;
}

const std::map<std::string, Draw>& all_draws() { return registry(); }

const Draw* find_draw(const std::string& name) {
  const auto found = registry().find(name);
  return found == registry().end() ? nullptr : &found->second;
}

std::vector<DrawnInput> inputs_at(const Task& task, const std::map<std::string, InputInit>& overrides,
                                  const std::map<std::string, std::int64_t>& dims) {
  const std::vector<Shape> shapes = concrete_shapes(task.model.inputs, dims);
  std::vector<DrawnInput> inputs;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const TensorSpec& spec = task.model.inputs[i];
    const auto own = overrides.find(spec.name);
    inputs.push_back({spec, own != overrides.end() ? own->second : task.inputs.at(spec.name), dims, shapes[i], {}, {}});
  }
  for (DrawnInput& input : inputs)
    if (const Draw* draw = find_draw(input.init.kind))
      for (const DrawParameter& parameter : draw->parameters)
        if (parameter.kind == DrawParameter::Kind::input && input.has(parameter.name)) {
          const std::string& name = input.init.names.at(parameter.name);
          input.related[parameter.name] = &*std::ranges::find_if(inputs, [&](const DrawnInput& other) { return other.spec.name == name; });
        }
  return inputs;
}

std::vector<std::string> promises_of(const Task& task) {
  std::vector<std::string> promises;
  for (const TensorSpec& spec : task.model.inputs) {
    const InputInit& init = task.inputs.at(spec.name);
    const Draw* draw = find_draw(init.kind);
    const std::string promise = draw != nullptr ? draw->promise(spec, init) : "";
    if (!promise.empty()) promises.push_back(fmt::format("`{}`: {}", spec.name, promise));
  }
  return promises;
}

}  // namespace assay::spec
