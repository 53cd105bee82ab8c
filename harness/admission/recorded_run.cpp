// SPDX-License-Identifier: Apache-2.0
#include "recorded_run.h"

#include <cstring>
#include <unordered_set>

namespace assay::admission {
namespace {

bool equal(const Attribute& a, const Attribute& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&](const auto& left) {
        const auto& right = std::get<std::decay_t<decltype(left)>>(b);
        if constexpr (std::is_same_v<std::decay_t<decltype(left)>, ConstantTensor>)
          return left.type == right.type && left.shape == right.shape && left.reals == right.reals && left.integers == right.integers;
        else
          return left == right;  // bodies: the very same
      },
      a);
}

bool equal(const Node& a, const Node& b) {
  if (a.op_type != b.op_type || a.domain != b.domain || a.inputs != b.inputs || a.outputs != b.outputs) return false;
  return a.attributes.size() == b.attributes.size() &&
         std::ranges::equal(a.attributes, b.attributes, [](const auto& x, const auto& y) { return x.first == y.first && equal(x.second, y.second); });
}

/// The same type, shape and bits.
bool equal(const Value<double>& a, const Value<double>& b) {
  if (a.type != b.type || a.shape() != b.shape() || a.elements.index() != b.elements.index()) return false;
  return std::visit(
      [&](const auto& left) {
        const auto& right = std::get<std::decay_t<decltype(left)>>(b.elements);
        return left.data() == right.data() || std::memcmp(left.data(), right.data(), left.size() * sizeof(left[0])) == 0;
      },
      a.elements);
}

}  // namespace

RecordedRun::RecordedRun(const Graph& model, std::vector<Value<double>> inputs)
    : model_(model), inputs_(std::move(inputs)), run_(model, inputs_) {
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    run_.run(n);
    for (const std::string& name : model.nodes[n].outputs) writers_[name] = &model.nodes[n];
  }
}

std::vector<Value<double>> RecordedRun::outputs_of(const Graph& altered, const std::vector<Value<double>>& inputs) const {
  Evaluation<double> again(altered, run_);
  std::unordered_set<std::string> changed;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (equal(inputs[i], inputs_[i])) continue;
    again.put(model_.inputs[i].name, inputs[i]);
    changed.insert(model_.inputs[i].name);
  }
  for (std::size_t n = 0; n < altered.nodes.size(); ++n) {
    const Node& node = altered.nodes[n];
    const auto writer = writers_.find(node.outputs.front());
    bool runs = writer == writers_.end() || !equal(*writer->second, node);
    each_value_read(node, [&](const std::string& name) { runs = runs || changed.contains(name); });
    if (!runs) continue;
    again.run(n);
    for (const std::string& name : node.outputs) {
      const Value<double>* before = name.empty() ? nullptr : run_.find(name);
      if (before == nullptr || !equal(*before, *again.find(name))) changed.insert(name);
    }
    again.drop_dead(n);
  }
  return again.outputs();
}

}  // namespace assay::admission
