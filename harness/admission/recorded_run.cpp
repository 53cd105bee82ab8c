// SPDX-License-Identifier: Apache-2.0
#include "recorded_run.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

namespace assay::admission {
namespace {

using oracle::Value;
using spec::Graph;

bool equal(const spec::Attribute& a, const spec::Attribute& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&](const auto& left) {
        const auto& right = std::get<std::decay_t<decltype(left)>>(b);
        if constexpr (std::is_same_v<std::decay_t<decltype(left)>, spec::ConstantTensor>)
          return left.type == right.type && left.shape == right.shape && left.reals == right.reals && left.integers == right.integers;
        else return left == right;  // bodies: the very same
      },
      a);
}

bool equal(const spec::Node& a, const spec::Node& b) {
  if (a.op_type != b.op_type || a.domain != b.domain || a.inputs != b.inputs || a.outputs != b.outputs) return false;
  return a.attributes.size() == b.attributes.size() && std::ranges::equal(a.attributes, b.attributes, [](const auto& x, const auto& y) {
           return x.first == y.first && equal(x.second, y.second);
         });
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

/// In values that are quickly computed again: where there are more of them, they are not kept.
constexpr std::size_t kMostBytes = 128 << 20;
constexpr double kQuick = 8;  ///< floating-point operations for each element

std::size_t bytes_of(const Value<double>& value) { return static_cast<std::size_t>(spec::element_count(value.shape())) * sizeof(double); }

/// Runs nodes of an altered model; brings back values that were not kept.
class Rerun {
 public:
  Rerun(const Graph& altered, oracle::Evaluation<double>& again) : altered_(altered), again_(again) {
    for (std::size_t n = 0; n < altered.nodes.size(); ++n)
      for (const std::string& name : altered.nodes[n].outputs) writers_[name] = n;
  }
  void run(std::size_t node) {
    oracle::each_value_read(altered_.nodes[node], [&](const std::string& name) { restore(name); });
    again_.run(node);
  }
  void restore(const std::string& name) {
    if (name.empty() || again_.find(name) != nullptr) return;
    if (const auto writer = writers_.find(name); writer != writers_.end()) run(writer->second);
  }

 private:
  const Graph& altered_;
  oracle::Evaluation<double>& again_;
  std::unordered_map<std::string, std::size_t> writers_;
};

}  // namespace

RecordedRun::RecordedRun(const Graph& model, const spec::Dims& dims, std::vector<Value<double>> inputs)
    : model_(model), inputs_(std::move(inputs)), run_(model, dims, &cost_) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    run_.put(model.inputs[i].name, inputs_[i]);
    shapes_[model.inputs[i].name] = inputs_[i].shape();
  }
  std::unordered_map<std::string, std::size_t> last_use;
  for (std::size_t n = 0; n < model.nodes.size(); ++n)
    oracle::each_value_read(model.nodes[n], [&](const std::string& name) { last_use[name] = n; });
  for (const spec::TensorSpec& output : model.outputs) last_use[output.name] = model.nodes.size();
  std::unordered_map<std::size_t, std::vector<std::string>> dropped_after;
  std::size_t quick_bytes = 0;
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    const double before = cost_.flops;
    run_.run(n);
    for (const std::string& name : model.nodes[n].outputs) {
      if (name.empty()) continue;
      const Value<double>& value = *run_.find(name);
      writers_[name] = &model.nodes[n];
      shapes_[name] = value.shape();
      if (cost_.flops - before > kQuick * static_cast<double>(spec::element_count(value.shape()))) continue;
      quick_bytes += bytes_of(value);
      if (quick_bytes > kMostBytes) dropped_after[last_use.try_emplace(name, n).first->second].push_back(name);
    }
    for (const std::string& name : dropped_after[n]) run_.drop(name);
  }
}

std::vector<Value<double>> RecordedRun::outputs_of(const Graph& altered, const std::vector<Value<double>>& inputs) const {
  oracle::Evaluation<double> again(altered, run_);
  Rerun rerun(altered, again);
  std::unordered_set<std::string> changed;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (equal(inputs[i], inputs_[i])) continue;
    again.put(model_.inputs[i].name, inputs[i]);
    changed.insert(model_.inputs[i].name);
  }
  for (std::size_t n = 0; n < altered.nodes.size(); ++n) {
    const spec::Node& node = altered.nodes[n];
    const auto writer = writers_.find(node.outputs.front());
    bool runs = writer == writers_.end() || !equal(*writer->second, node);
    oracle::each_value_read(node, [&](const std::string& name) { runs = runs || changed.contains(name); });
    if (runs) rerun.run(n);
    for (const std::string& name : node.outputs) {
      if (!runs) break;
      const Value<double>* before = name.empty() ? nullptr : run_.find(name);
      if (before == nullptr || !equal(*before, *again.find(name))) changed.insert(name);
    }
    again.drop_dead(n);
  }
  for (const spec::TensorSpec& output : altered.outputs) rerun.restore(output.name);
  return again.outputs();
}

}  // namespace assay::admission
