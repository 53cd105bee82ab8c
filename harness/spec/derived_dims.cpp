// SPDX-License-Identifier: Apache-2.0
#include "derived_dims.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "assay/spec/countable.h"
#include "assay/spec/dim_expression.h"

namespace assay::spec {
namespace {

using Expressions = std::vector<const DimExpression*>;

bool contains(const std::vector<std::string>& list, const std::string& name) { return std::ranges::find(list, name) != list.end(); }

void add(std::vector<std::string>& list, const std::string& name) {
  if (!contains(list, name)) list.push_back(name);
}

Expressions extents_of(const std::vector<TensorSpec>& specs) {
  Expressions all;
  for (const TensorSpec& spec : specs)
    for (const Dim& dim : spec.shape)
      if (dim.derived != nullptr) all.push_back(dim.derived.get());
  return all;
}

Expressions attributes_of(const Graph& model) {
  Expressions all;
  each_dim_attribute(model, [&](const DimExpression& expression) { all.push_back(&expression); });
  return all;
}

void require_known(const Expressions& expressions, const std::vector<std::string>& known) {
  for (const DimExpression* expression : expressions)
    for (const std::string& name : expression->names)
      if (!contains(known, name))
        throw SpecError(expression->location,
                        fmt::format("model: {} names '{}', which is no dimension of an input. do: give it a range in dims. known: {}",
                                    expression->what, name, fmt::join(known, " ")));
}

void require_extent(const YamlFile& file, const YAML::Node& model, const TensorSpec& spec, const Dim& dim) {
  if (dim.name == "?") file.fail(model, fmt::format("model: '{}' has an unnamed dimension. do: name it", spec.name));
  if (!dim.symbolic() && (dim.value < 0 || dim.value > kLargestExtent))
    file.fail(model, fmt::format("model: '{}' has the extent {}, must be 0 to {}", spec.name, dim.value, kLargestExtent));
}

/// Extents of `range`: all of them, or as many of the lowest and of the highest.
std::vector<std::int64_t> some_of(const DimRange& range, std::int64_t most) {
  const std::int64_t count = (range.high - range.low) / range.step + 1;
  std::vector<std::int64_t> extents;
  for (std::int64_t i = 0; i < count; ++i) {
    if (i == most / 2 && count > most) i = count - most / 2;
    extents.push_back(range.low + i * range.step);
  }
  return extents;
}

/// Tries combinations of the dimensions that the expression names; all of them where they are few.
void require_value(const DimExpression& expression, const DimRanges& ranges, const std::string& who) {
  constexpr double kMostCombinations = 4096;
  const std::size_t count = expression.names.size();
  const auto most =
      std::max<std::int64_t>(2, std::llround(std::pow(kMostCombinations, 1.0 / static_cast<double>(std::max<std::size_t>(1, count)))));
  Dims dims;
  const std::function<void(std::size_t)> choose = [&](std::size_t n) {
    if (n == count) {
      value_of(expression, dims, who);
      return;
    }
    for (const std::int64_t extent : some_of(ranges.at(expression.names[n]), most)) {
      dims[expression.names[n]] = extent;
      choose(n + 1);
    }
  };
  if (std::ranges::all_of(expression.names, [&](const std::string& name) { return ranges.contains(name); })) choose(0);
}

}  // namespace

void list_dims(const YamlFile& file, const YAML::Node& model, const YAML::Node& dims, Task& task) {
  for (const auto* specs : {&task.model.inputs, &task.model.outputs})
    for (const TensorSpec& spec : *specs)
      for (const Dim& dim : spec.shape) require_extent(file, model, spec, dim);
  for (const TensorSpec& spec : task.model.inputs)
    for (const Dim& dim : spec.shape) {
      if (dim.derived != nullptr)
        for (const std::string& name : dim.derived->names) add(task.free_dims, name);
      else if (dim.symbolic()) add(task.free_dims, dim.name);
    }
  const Expressions outputs = extents_of(task.model.outputs), attributes = attributes_of(task.model);
  for (const Expressions& expressions : {outputs, attributes})  // of no input's shape, but chosen all the same: groups, a factor
    for (const DimExpression* expression : expressions)
      for (const std::string& name : expression->names)
        if (dims && dims.IsMap() && dims[name]) add(task.free_dims, name);
  require_known(attributes, task.free_dims);
  task.dims = task.free_dims;
  for (const TensorSpec& spec : task.model.outputs)
    for (const Dim& dim : spec.shape)
      if (dim.symbolic() && dim.derived == nullptr) add(task.dims, dim.name);
  require_known(outputs, task.dims);
}

void require_values(const Task& task, const DimRanges& ranges, const std::string& who) {
  for (const Expressions& expressions : {extents_of(task.model.inputs), extents_of(task.model.outputs), attributes_of(task.model)})
    for (const DimExpression* expression : expressions) require_value(*expression, ranges, who);
}

void require_countable(const YamlFile& file, const Task& task) {
  const auto check = [&](const std::string& who, const DimRanges& dims) {
    Dims largest;
    for (const auto& [name, range] : dims) largest[name] = range.high;
    const auto shapes = concrete_shapes(task.model.inputs, largest);
    for (std::size_t i = 0; i < shapes.size(); ++i)
      if (!is_countable(shapes[i]))
        file.fail(file.root(), fmt::format("{}: no machine holds '{}' of shape {}", who, task.model.inputs[i].name, to_string(shapes[i])));
  };
  for (const Case& entry : task.cases) check("case '" + entry.name + "'", entry.dims);
  for (const auto& [target, shapes] : task.timing)
    for (const DimRanges& dims : shapes) check("timing: " + target, dims);
}

}  // namespace assay::spec
