// SPDX-License-Identifier: Apache-2.0
// ONNX leaves open in which order updates are scattered. A kernel that takes them the other way round is honest; where two updates
// meet in one element and the last one stays, it gives other results, and nobody may be judged by them.
#include <fmt/format.h>

#include <limits>
#include <numeric>

#include "assay/oracle/evaluate.h"
#include "assay/spec/dim_expression.h"
#include "rules.h"

namespace assay::admission {
namespace {

using spec::Graph, spec::Node;

bool scatters(const Node& node) {
  return node.domain.empty() && (node.op_type == "ScatterElements" || node.op_type == "Scatter" || node.op_type == "ScatterND") &&
         node.inputs.size() > 2;
}

Node integers(std::string name, std::vector<std::int64_t> list) {
  Node node;
  node.op_type = "Constant";
  node.outputs = {std::move(name)};
  const auto count = static_cast<std::int64_t>(list.size());
  node.attributes["value"] = spec::ConstantTensor{spec::ElementType::i64, {count}, {}, std::move(list)};
  return node;
}

/// Nodes that give `name` the other way round along `axes`, as "<name>/reversed".
std::vector<Node> reversing(const std::string& name, const std::vector<std::int64_t>& axes) {
  const std::vector<std::int64_t> ones(axes.size(), -1), ends(axes.size(), std::numeric_limits<std::int64_t>::min());
  std::vector<Node> nodes = {integers(name + "/starts", ones), integers(name + "/ends", ends), integers(name + "/axes", axes),
                             integers(name + "/steps", ones)};
  Node slice;
  slice.op_type = "Slice";
  slice.inputs = {name, name + "/starts", name + "/ends", name + "/axes", name + "/steps"};
  slice.outputs = {name + "/reversed"};
  nodes.push_back(std::move(slice));
  return nodes;
}

/// Along which updates of `node` may be taken in any order, where its indices have `rank` axes. ScatterND's last one is part of an
/// index; of ScatterElements all but one say where the element goes.
std::vector<std::int64_t> free_axes(const Node& node, const spec::Dims& dims, std::size_t rank) {
  if (node.op_type != "ScatterND") {
    const auto axis = node.attributes.find("axis");
    return {axis == node.attributes.end() ? 0 : spec::integer_of(axis->second, dims)};
  }
  std::vector<std::int64_t> axes(rank - 1);
  std::iota(axes.begin(), axes.end(), std::int64_t{0});
  return axes;
}

/// `model` with the updates of node `n` in reverse, where the indices have `rank` axes.
Graph reversed(const Graph& model, const spec::Dims& dims, std::size_t n, std::size_t rank) {
  Graph permuted = model;
  const auto axes = free_axes(model.nodes[n], dims, rank);
  std::vector<Node> before;
  for (const std::size_t input : {1, 2}) {
    std::string& name = permuted.nodes[n].inputs[input];
    for (Node& node : reversing(name, axes)) before.push_back(std::move(node));
    name += "/reversed";
  }
  permuted.nodes.insert(permuted.nodes.begin() + static_cast<std::ptrdiff_t>(n), before.begin(), before.end());
  return permuted;
}

std::size_t rank_of(const Graph& model, const spec::Dims& dims, const std::string& name, const std::vector<oracle::Value<double>>& inputs) {
  Graph probe = model;
  probe.outputs = {{name, spec::ElementType::i64, {}}};
  return oracle::evaluate<double>(probe, dims, inputs).front().shape().size();
}

}  // namespace

void updates_may_come_in_any_order(const Evidence& evidence, std::vector<Finding>& found) {
  const Graph& model = evidence.task.model;
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    if (!scatters(model.nodes[n])) continue;
    for (std::size_t c = 0; c < evidence.cases.size(); ++c) {
      const Subject subject = evidence.subject(c);
      const auto& inputs = subject.run.inputs();
      const std::size_t rank = rank_of(model, subject.prepared.dims, model.nodes[n].inputs[1], inputs);
      const auto outputs = rank == 0 ? std::nullopt : outputs_of(reversed(model, subject.prepared.dims, n, rank), subject, inputs);
      if (!outputs || outputs->empty()) continue;
      const cases::Comparison comparison = compare(subject.prepared, *outputs);
      if (comparison.accepted) continue;
      found.push_back({fmt::format("{} ({}) in reverse", model.nodes[n].op_type, model.nodes[n].outputs.front()),
                       fmt::format("updates in another order give another result, which is as right: {}. do: draw indices that "
                                   "are distinct (init: index, distinct: true), or name a reduction",
                                   comparison.detail),
                       Finding::Excuse::none});
      break;
    }
  }
}

}  // namespace assay::admission
