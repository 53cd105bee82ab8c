// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>

#include "alterations.h"
#include "assay/spec/dim_expression.h"

namespace assay::admission {
namespace {

using spec::Graph, spec::Node;

/// The model as edit(copy) leaves it: a copy for each case, since those of all alterations would fill the memory.
template <class Edit>
Alteration on_model(std::string name, Edit edit, bool required) {
  return {std::move(name),
          [edit](const Subject& subject) {
            Graph altered = subject.task.model;
            edit(altered);
            return outputs_of(altered, subject, subject.run.inputs());
          },
          required, true};
}

std::string described(const Node& node) { return fmt::format("{} ({})", node.op_type, node.outputs.front()); }

/// The number of a Constant node that holds a single real; nullptr for every other node.
const double* single_real(const Node& node) {
  if (node.op_type != "Constant") return nullptr;
  const auto value = node.attributes.find("value");
  if (value == node.attributes.end()) return nullptr;
  const auto* tensor = std::get_if<spec::ConstantTensor>(&value->second);
  return tensor != nullptr && tensor->reals.size() == 1 ? tensor->reals.data() : nullptr;
}

/// Too small to show where one per cent of it is missing; models confuse its power of ten.
bool is_epsilon(double x) { return std::abs(x) < 1e-3; }

std::vector<Alteration> constants_off(const Graph& model) {
  std::vector<Alteration> out;
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    const double* number = single_real(model.nodes[n]);
    if (number == nullptr || *number == 0) continue;
    const std::string& name = model.nodes[n].outputs.front();
    const auto with = [&](double other, const char* what, bool required = true) {
      out.push_back(on_model(
          fmt::format("constant '{}' {}", name, what),
          [n, other](Graph& altered) { std::get<spec::ConstantTensor>(altered.nodes[n].attributes.at("value")).reals.front() = other; },
          required));
    };
    if (std::isnan(*number)) {
      with(0, "taken for 0");
    } else if (std::isinf(*number)) {  // a mask may be as good with the largest number
      with(std::copysign(std::numeric_limits<float>::max(), *number), "taken for the largest number", false);
    } else if (is_epsilon(*number)) {
      with(10 * *number, "ten times as large");
      with(0, "omitted");
    } else {
      with(1.01 * *number, "off by 1 %");
    }
  }
  return out;
}

/// More nodes of a kind than these make a deep model. One wrong number among fifty moves its outputs by less than honest kernels differ,
/// and a kernel has the number from one place: it is altered in all of them at once.
constexpr std::size_t kFew = 8;

std::vector<std::vector<std::size_t>> altered_together(const std::vector<std::size_t>& nodes) {
  if (nodes.size() > kFew) return {nodes};
  std::vector<std::vector<std::size_t>> each;
  for (const std::size_t n : nodes) each.push_back({n});
  return each;
}

/// A number that is an attribute of these nodes.
struct RealAttribute {
  std::string op_type, name;
  double number;
  std::vector<std::size_t> nodes;
};

std::vector<RealAttribute> real_attributes(const Graph& model) {
  std::map<std::tuple<std::string, std::string, double>, std::vector<std::size_t>> nodes;
  std::vector<RealAttribute> all;
  for (std::size_t n = 0; n < model.nodes.size(); ++n)
    for (const auto& [name, attribute] : model.nodes[n].attributes)
      if (const auto* number = std::get_if<double>(&attribute); number != nullptr && *number != 0)
        nodes[{model.nodes[n].op_type, name, *number}].push_back(n);
  for (const auto& [key, those] : nodes) {
    const auto& [op_type, name, number] = key;
    for (const auto& together : altered_together(those)) all.push_back({op_type, name, number, together});
  }
  return all;
}

std::vector<Alteration> attributes_off(const Graph& model) {
  std::vector<Alteration> out;
  for (const RealAttribute& attribute : real_attributes(model)) {
    const std::string who = attribute.nodes.size() == 1
                                ? fmt::format("{} of {}", attribute.name, described(model.nodes[attribute.nodes.front()]))
                                : fmt::format("{} of all {} {}", attribute.name, attribute.nodes.size(), attribute.op_type);
    const auto with = [&](double factor, const char* what) {
      out.push_back(on_model(
          who + what,
          [attribute, factor](Graph& altered) {
            for (const std::size_t n : attribute.nodes) altered.nodes[n].attributes.at(attribute.name) = attribute.number * factor;
          },
          true));
    };
    if (is_epsilon(attribute.number)) with(10, " ten times as large");
    else with(1.01, " off by 1 %");
    with(0, " omitted");
  }
  return out;
}

/// Whether a kernel that leaves the operator out must be wrong: not where it only gives the same elements another shape or a
/// type that they fit.
bool changes_elements(const std::string& op_type) {
  constexpr std::string_view kViews[] = {"Cast", "CastLike", "Expand", "Flatten", "Squeeze", "Unsqueeze"};
  return std::ranges::find(kViews, op_type) == std::end(kViews);
}

/// What no kernel computes, and what elements taken for extents would make of the others' size.
bool gives_extents(const std::string& op_type) { return op_type == "Shape" || op_type == "Size"; }

/// An operator whose result can stand in for its first input.
std::vector<Alteration> operators_skipped(const Graph& model) {
  std::vector<Alteration> out;
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    const Node& node = model.nodes[n];
    if (node.inputs.empty() || node.outputs.size() != 1 || node.op_type == "Identity" || node.op_type == "Reshape") continue;
    if (gives_extents(node.op_type)) continue;
    out.push_back(on_model(
        described(node) + " skipped",
        [n](Graph& altered) {
          altered.nodes[n].op_type = "Identity";
          altered.nodes[n].domain.clear();
          altered.nodes[n].inputs.resize(1);
          altered.nodes[n].attributes.clear();
        },
        changes_elements(node.op_type)));
  }
  return out;
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
  node.attributes["value"] = spec::ConstantTensor{spec::ElementType::f32, {}, {x}, {}};
  return node;
}

/// Multiplies the mean that node n of `model` gives, or the scale that it multiplies a normalised input by.
void scale_mean_or_norm(Graph& model, std::size_t n, double factor) {
  const bool mean = model.nodes[n].op_type == "ReduceMean";
  const std::string name = mean ? model.nodes[n].outputs.front() : model.nodes[n].inputs[1];
  const std::string scaled = fmt::format("{}/scaled for {}", name, model.nodes[n].outputs.front());
  if (mean) {
    for (std::size_t reader = n + 1; reader < model.nodes.size(); ++reader) std::ranges::replace(model.nodes[reader].inputs, name, scaled);
    for (spec::TensorSpec& output : model.outputs)
      if (output.name == name) output.name = scaled;
  } else {
    model.nodes[n].inputs[1] = scaled;
  }
  const auto at = model.nodes.begin() + static_cast<std::ptrdiff_t>(mean ? n + 1 : n);
  model.nodes.insert(at, {scalar(scaled + "/factor", factor), node_of("Mul", {name, scaled + "/factor"}, scaled)});
}

/// Elements that share one mean: of a reduction, or of a normalisation by mean and variance. 0: neither.
double averaged_elements(const Subject& subject, const Node& node) {
  const spec::Shape& x = subject.run.shape(node.inputs.front());
  const auto count = static_cast<double>(spec::element_count(x));
  const auto extent = [&](std::size_t axis) { return axis < x.size() ? static_cast<double>(x[axis]) : 1.0; };
  const auto attribute = [&](const char* name, std::int64_t fallback) {
    const auto found = node.attributes.find(name);
    return found == node.attributes.end() ? fallback : spec::integer_of(found->second, subject.prepared.dims);
  };
  if (node.op_type == "ReduceMean") return count / static_cast<double>(spec::element_count(subject.run.shape(node.outputs.front())));
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

/// `nodes`, means or normalisations, as they are where the divisor of mean or variance is less by one; nothing where all are of one
/// element.
std::optional<Graph> with_less_divisors(const Subject& subject, const std::vector<std::size_t>& nodes) {
  Graph altered = subject.task.model;
  bool any = false;
  for (auto n = nodes.rbegin(); n != nodes.rend(); ++n) {  // from the last on, since nodes are inserted
    const Node& node = subject.task.model.nodes[*n];
    const double count = averaged_elements(subject, node);
    if (count < 2) continue;
    scale_mean_or_norm(altered, *n, node.op_type == "ReduceMean" ? count / (count - 1) : std::sqrt((count - 1) / count));
    any = true;
  }
  if (!any) return {};
  return altered;
}

/// A mean that divides by n - 1, and a normalisation by a variance that does: its scale takes a factor of
/// sqrt((n - 1) / n).
std::vector<Alteration> means_biased(const Graph& model) {
  std::map<std::string, std::vector<std::size_t>> nodes;  // by operator
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    const Node& node = model.nodes[n];
    if (node.op_type == "ReduceMean" || (node.op_type.ends_with("Normalization") && node.inputs.size() > 1))
      nodes[node.op_type].push_back(n);
  }
  std::vector<Alteration> out;
  for (const auto& [op_type, those] : nodes)
    for (const auto& together : altered_together(those)) {
      const bool mean = op_type == "ReduceMean", all = together.size() > 1;
      const std::string who = all ? fmt::format("all {} {}", together.size(), op_type) : described(model.nodes[together.front()]);
      const std::string does = !mean ? " by the unbiased variance" : all ? " divide by n - 1" : " divides by n - 1";
      out.push_back({who + does,
                     [together](const Subject& subject) -> std::optional<Outputs> {
                       const auto altered = with_less_divisors(subject, together);
                       if (!altered) return {};
                       return outputs_of(*altered, subject, subject.run.inputs());
                     },
                     false, true});
    }
  return out;
}

}  // namespace

std::vector<Alteration> model_alterations(const spec::Task& task) {
  std::vector<Alteration> alterations;
  for (const auto kind : {constants_off, attributes_off, operators_skipped, means_biased})
    for (Alteration& alteration : spread(kind(task.model), task.model)) alterations.push_back(std::move(alteration));
  return alterations;
}

}  // namespace assay::admission
