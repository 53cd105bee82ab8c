// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/dim_expression.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "assay/spec/error.h"
#include "launch_expression.h"

namespace assay::spec {

bool DimAttribute::operator==(const DimAttribute& other) const {
  const auto same = [](const auto& a, const auto& b) { return a->text == b->text; };
  return is_list == other.is_list && std::ranges::equal(values, other.values, same);
}

std::int64_t value_of(const DimExpression& expression, const Dims& dims, const std::string& who) {
  std::string wrong;
  try {
    const DimValues values = values_of(expression.names, dims);
    const std::int64_t value = value_of(*expression.steps, values, expression.what);
    if (value >= expression.least) return value;
    wrong = fmt::format("{}: must be at least {}. got: {}", expression.what, expression.least, explained(*expression.steps, values, value));
  } catch (const LaunchError& error) {
    wrong = error.message();
  }
  throw SpecError(expression.location, fmt::format("model: {}{}. do: choose ranges of {} of which every combination gives a whole number{}",
                                                   who.empty() ? "" : who + ": ", wrong, fmt::join(expression.names, ", "),
                                                   expression.least > 0 ? " above 0" : ""));
}

std::int64_t extent_of(const Dim& dim, const Dims& dims) {
  if (dim.derived != nullptr) return value_of(*dim.derived, dims);
  return dim.symbolic() ? dims.at(dim.name) : dim.value;
}

std::int64_t integer_of(const Attribute& attribute, const Dims& dims) {
  const auto* derived = std::get_if<DimAttribute>(&attribute);
  return derived == nullptr ? std::get<std::int64_t>(attribute) : value_of(*derived->values.front(), dims);
}

bool has_dim_attributes(const Node& node) {
  return std::ranges::any_of(node.attributes, [](const auto& entry) { return std::holds_alternative<DimAttribute>(entry.second); });
}

Node at_dims(const Node& node, const Dims& dims) {
  Node concrete = node;
  for (auto& [name, attribute] : concrete.attributes) {
    const auto* derived = std::get_if<DimAttribute>(&attribute);
    if (derived == nullptr) continue;
    std::vector<std::int64_t> integers;
    std::ranges::transform(derived->values, std::back_inserter(integers), [&](const auto& value) { return value_of(*value, dims); });
    attribute = derived->is_list ? Attribute(integers) : Attribute(integers.front());
  }
  return concrete;
}

void each_dim_attribute(const Graph& graph, const std::function<void(const DimExpression&)>& visit) {
  for (const Node& node : graph.nodes)
    for (const auto& [name, attribute] : node.attributes) {
      if (const auto* derived = std::get_if<DimAttribute>(&attribute))
        for (const auto& value : derived->values) visit(*value);
      if (const auto* body = std::get_if<std::shared_ptr<const Graph>>(&attribute)) each_dim_attribute(**body, visit);
    }
}

}  // namespace assay::spec
