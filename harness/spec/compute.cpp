// SPDX-License-Identifier: Apache-2.0
#include "compute.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "assay/spec/nearest.h"

namespace assay::spec {
namespace {

constexpr ElementType kTypes[] = {ElementType::bf16, ElementType::f16};

/// Types of the graph's tensors, as far as the text says them.
void add_types(const Graph& graph, std::set<ElementType>& types) {
  for (const auto* specs : {&graph.inputs, &graph.outputs})
    for (const TensorSpec& spec : *specs) types.insert(spec.type);
  for (const Node& node : graph.nodes)
    for (const auto& [name, attribute] : node.attributes) {
      if (const auto* body = std::get_if<std::shared_ptr<const Graph>>(&attribute)) add_types(**body, types);
      const auto* number = std::get_if<std::int64_t>(&attribute);
      const ElementTypeInfo* to = number != nullptr && name == "to" ? element_type_from_onnx(static_cast<int>(*number)) : nullptr;
      if (to != nullptr) types.insert(to->type);
    }
}

}  // namespace

std::optional<ElementType> read_compute(const YamlFile& file, const YAML::Node& node) {
  if (!node) return {};
  const std::string name = file.text(node, "compute");
  for (const ElementType type : kTypes)
    if (info(type).onnx_name == name) return type;
  file.fail(node, fmt::format("compute: unknown type '{}'{}. do: say bfloat16 or float16, or leave it out", name,
                              did_you_mean(name, {"bfloat16", "float16"})));
}

void require_computable(const YamlFile& file, const YAML::Node& root, const Task& task) {
  if (!task.model.compute) return;
  const YAML::Node& said = root["compute"];
  const auto name = info(*task.model.compute).onnx_name;
  std::set<ElementType> types;
  add_types(task.model, types);
  if (!types.contains(*task.model.compute))
    file.fail(said,
              fmt::format("compute: the model has no {0}, so nothing is rounded. do: declare its tensors {0}, or leave it out", name));
  for (const ElementType other : kTypes)
    if (other != *task.model.compute && types.contains(other))
      file.fail(said, fmt::format("compute: the model has {}, too. do: keep one of the two", info(other).onnx_name));
  if (task.harness.oracle) file.fail(said, "compute: oracle.cpp stands in place of the operators. do: round there, or leave it out");
  if (task.harness.verify) file.fail(said, "compute: verify.cpp says what is right. do: leave it out");
  if (root["bounds"]) file.fail(root["bounds"], "bounds: roundings to 'compute' decide, which no factor changes. do: leave it out");
}

}  // namespace assay::spec
