// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "alterations.h"

namespace assay::admission {
namespace {

Alteration on_model(std::string name, Graph altered, bool required) {
  return {std::move(name),
          [altered = std::move(altered)](const Subject& subject) { return outputs_of(altered, subject, inputs_of(subject)); }, required,
          true};
}

std::string described(const Node& node) { return fmt::format("{} ({})", node.op_type, node.outputs.front()); }

/// The number of a Constant node that holds a single real; nullptr for every other node.
double* single_real(Node& node) {
  if (node.op_type != "Constant") return nullptr;
  const auto value = node.attributes.find("value");
  if (value == node.attributes.end()) return nullptr;
  auto* tensor = std::get_if<ConstantTensor>(&value->second);
  return tensor != nullptr && tensor->reals.size() == 1 ? tensor->reals.data() : nullptr;
}

/// Too small to show where one per cent of it is missing; models confuse its power of ten.
bool is_epsilon(double x) { return std::abs(x) < 1e-3; }

void alter_constants(const Graph& model, std::vector<Alteration>& out) {
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    Graph altered = model;
    double* number = single_real(altered.nodes[n]);
    if (number == nullptr || *number == 0) continue;
    const double before = *number;
    const std::string& name = model.nodes[n].outputs.front();
    const auto with = [&](double factor, const char* what) {
      *number = before * factor;
      out.push_back(on_model(fmt::format("constant '{}' {}", name, what), altered, true));
    };
    if (is_epsilon(before)) {
      with(10, "ten times as large");
      with(0, "omitted");
    } else {
      with(1.01, "off by 1 %");
    }
  }
}

void alter_attributes(const Graph& model, std::vector<Alteration>& out) {
  for (std::size_t n = 0; n < model.nodes.size(); ++n)
    for (const auto& [name, attribute] : model.nodes[n].attributes) {
      if (!std::holds_alternative<double>(attribute) || std::get<double>(attribute) == 0) continue;
      Graph altered = model;
      auto& number = std::get<double>(altered.nodes[n].attributes.at(name));
      const std::string who = fmt::format("{} of {}", name, described(model.nodes[n]));
      const bool small = is_epsilon(number);
      number *= small ? 10 : 1.01;
      out.push_back(on_model(who + (small ? " ten times as large" : " off by 1 %"), altered, true));
      number = 0;
      out.push_back(on_model(who + " omitted", altered, true));
    }
}

/// Whether a kernel that leaves the operator out must be wrong: not where it only gives the same elements another shape or a
/// type that they fit.
bool changes_elements(const std::string& op_type) {
  constexpr std::string_view kViews[] = {"Cast", "CastLike", "Expand", "Flatten", "Squeeze", "Unsqueeze"};
  return std::ranges::find(kViews, op_type) == std::end(kViews);
}

/// An operator whose result can stand in for its first input.
void skip_operators(const Graph& model, std::vector<Alteration>& out) {
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    const Node& node = model.nodes[n];
    if (node.inputs.empty() || node.outputs.size() != 1 || node.op_type == "Identity" || node.op_type == "Reshape") continue;
    Graph altered = model;
    altered.nodes[n].op_type = "Identity";
    altered.nodes[n].domain.clear();
    altered.nodes[n].inputs.resize(1);
    altered.nodes[n].attributes.clear();
    out.push_back(on_model(described(node) + " skipped", std::move(altered), changes_elements(node.op_type)));
  }
}

Node node_of(std::string op_type, std::vector<std::string> inputs, std::string output) {
  Node node;
  node.op_type = std::move(op_type);
  node.inputs = std::move(inputs);
  node.outputs = {std::move(output)};
  return node;
}

Node scalar(std::string name, double x) {
  Node node = node_of("Constant", {}, std::move(name));
  node.attributes["value"] = ConstantTensor{ElementType::f32, {}, {x}, {}};
  return node;
}

/// `model` with value `name` multiplied by `factor` wherever nodes from `from` on, or the outputs, read it.
Graph scaled(const Graph& model, std::size_t from, const std::string& name, double factor) {
  Graph altered = model;
  for (std::size_t n = from; n < altered.nodes.size(); ++n) std::ranges::replace(altered.nodes[n].inputs, name, name + "/scaled");
  for (TensorSpec& output : altered.outputs)
    if (output.name == name) output.name = name + "/scaled";
  const auto at = altered.nodes.begin() + static_cast<std::ptrdiff_t>(from);
  altered.nodes.insert(at, {scalar(name + "/factor", factor), node_of("Mul", {name, name + "/factor"}, name + "/scaled")});
  return altered;
}

/// The shape of the model's value `name` in the case at hand.
Shape shape_of(const Graph& model, const Subject& subject, const std::string& name) {
  Graph probe = model;
  probe.outputs = {{name, ElementType::f32, {}}};
  return evaluate<double>(probe, inputs_of(subject)).front().shape();
}

/// Elements that share one mean: of a reduction, or of a normalisation by mean and variance. 0: neither.
double averaged_elements(const Graph& model, const Subject& subject, const Node& node) {
  const Shape x = shape_of(model, subject, node.inputs.front());
  const auto count = static_cast<double>(element_count(x));
  const auto extent = [&](std::size_t axis) { return axis < x.size() ? static_cast<double>(x[axis]) : 1.0; };
  const auto attribute = [&](const char* name, std::int64_t fallback) {
    const auto found = node.attributes.find(name);
    return found == node.attributes.end() ? fallback : std::get<std::int64_t>(found->second);
  };
  if (node.op_type == "ReduceMean") return count / static_cast<double>(element_count(shape_of(model, subject, node.outputs.front())));
  if (node.op_type == "BatchNormalization") return count / extent(1);
  if (node.op_type == "InstanceNormalization") return count / extent(0) / extent(1);
  if (node.op_type == "GroupNormalization") return count / extent(0) / static_cast<double>(attribute("num_groups", 1));
  if (node.op_type == "LayerNormalization") {
    const std::int64_t axis = attribute("axis", -1), rank = static_cast<std::int64_t>(x.size());
    double groups = 1;
    for (std::int64_t d = 0; d < (axis < 0 ? axis + rank : axis); ++d) groups *= extent(static_cast<std::size_t>(d));
    return count / groups;
  }
  return 0;
}

/// A mean that divides by n - 1, and a normalisation by a variance that does: its scale takes a factor of
/// sqrt((n - 1) / n).
void bias_means(const Graph& model, std::vector<Alteration>& out) {
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    const Node& node = model.nodes[n];
    const bool mean = node.op_type == "ReduceMean";
    const bool normalizes = node.op_type.ends_with("Normalization") && node.inputs.size() > 1;
    if (!mean && !normalizes) continue;
    out.push_back({described(node) + (mean ? " divides by n - 1" : " by the unbiased variance"),
                   [=, &model](const Subject& subject) -> std::optional<Outputs> {
                     const double count = averaged_elements(model, subject, node);
                     if (count < 2) return {};
                     const double factor = mean ? count / (count - 1) : std::sqrt((count - 1) / count);
                     const std::string& target = mean ? node.outputs.front() : node.inputs[1];
                     return outputs_of(scaled(model, mean ? n + 1 : n, target, factor), subject, inputs_of(subject));
                   },
                   false, true});
  }
}

}  // namespace

std::vector<Alteration> model_alterations(const Task& task) {
  std::vector<Alteration> alterations;
  alter_constants(task.model, alterations);
  alter_attributes(task.model, alterations);
  skip_operators(task.model, alterations);
  bias_means(task.model, alterations);
  return alterations;
}

}  // namespace assay::admission
