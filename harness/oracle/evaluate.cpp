// SPDX-License-Identifier: Apache-2.0
#include "assay/oracle/evaluate.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "assay/oracle/rounding.h"
#include "assay/spec/dim_expression.h"
#include "assay/spec/error.h"
#include "assay/spec/half.h"
#include "elementwise.h"
#include "reduction.h"

namespace assay::oracle {

OperatorError::OperatorError(const Node& node, const std::string& message)
    : std::runtime_error(
          fmt::format("{}:{}:{}: operator {}: {}", node.location.file, node.location.line, node.location.column, node.op_type, message)) {}

namespace {

std::map<std::pair<std::string, std::string>, Operator>& registry() {
  static std::map<std::pair<std::string, std::string>, Operator> operators;
  return operators;
}

thread_local SumOrder current_order = SumOrder::natural;
thread_local bool rounds_halves = false;

std::int64_t wrap(std::int64_t x, ElementType type) {
  switch (type) {
    case ElementType::i8: return static_cast<std::int8_t>(x);
    case ElementType::i16: return static_cast<std::int16_t>(x);
    case ElementType::i32: return static_cast<std::int32_t>(x);
    case ElementType::u8: return static_cast<std::uint8_t>(x);
    case ElementType::u16: return static_cast<std::uint16_t>(x);
    case ElementType::u32: return static_cast<std::uint32_t>(x);
    default: return x;
  }
}

template <class T>
Value<T> from_constant(const ConstantTensor& constant) {
  const auto count = static_cast<std::size_t>(element_count(constant.shape));
  switch (info(constant.type).element_class) {
    case ElementClass::real: {
      Tensor<T> tensor(constant.shape);
      for (std::size_t i = 0; i < count; ++i) tensor[i] = static_cast<T>(constant.reals[i]);
      return {constant.type, tensor};
    }
    case ElementClass::integer: {
      Integers tensor(constant.shape);
      std::copy_n(constant.integers.begin(), count, tensor.begin());
      return {constant.type, tensor};
    }
    case ElementClass::boolean: break;
  }
  Booleans tensor(constant.shape);
  for (std::size_t i = 0; i < count; ++i) tensor[i] = constant.integers[i] != 0;
  return {constant.type, tensor};
}

/// use(name) for every value that the node may read: its inputs, and in its bodies whatever they may capture.
template <class Use>
void each_read(const Node& node, Use&& use) {
  for (const std::string& name : node.inputs) use(name);
  for (const auto& [key, attribute] : node.attributes)
    if (const auto* body = std::get_if<std::shared_ptr<const Graph>>(&attribute)) {
      for (const Node& inner : (*body)->nodes) each_read(inner, use);
      for (const spec::TensorSpec& output : (*body)->outputs) use(output.name);
    }
}

}  // namespace

/// Values by name, each dropped after its last use: a baseline that kept them all would measure the page
/// allocator. A body's scope looks for other names in that of the graph around it.
template <class T>
class Scope {
 public:
  Scope(const Graph& graph, const Scope* outer) : outer_(outer) {
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
      for (const std::string& name : graph.nodes[n].outputs) last_use_[name] = n;  // though nobody reads it
      each_read(graph.nodes[n], [&](const std::string& name) { last_use_[name] = n; });
    }
    for (const spec::TensorSpec& output : graph.outputs) last_use_[output.name] = graph.nodes.size();
  }
  Scope(const Graph& graph, const std::vector<Value<T>>& inputs, const Scope* outer) : Scope(graph, outer) {
    for (std::size_t i = 0; i < graph.inputs.size(); ++i) values_[graph.inputs[i].name] = inputs[i];
    put_constants(graph);
  }
  void put_constants(const Graph& graph) {
    for (const auto& [name, constant] : graph.initializers) values_[name] = from_constant<T>(constant);
  }
  const Value<T>* find(const std::string& name) const {
    const auto found = values_.find(name);
    if (found != values_.end()) return &found->second;
    return outer_ == nullptr ? nullptr : outer_->find(name);
  }
  void put(const std::string& name, Value<T> value) { values_[name] = std::move(value); }
  void drop(const std::string& name) { values_.erase(name); }
  void drop_dead(const Node& node, std::size_t step) {
    const auto drop = [&](const std::string& name) {
      if (const auto last = last_use_.find(name); last != last_use_.end() && last->second == step) values_.erase(name);
    };
    each_read(node, drop);
    for (const std::string& name : node.outputs) drop(name);
  }

 private:
  const Scope* outer_;
  std::unordered_map<std::string, Value<T>> values_;
  std::unordered_map<std::string, std::size_t> last_use_;
};

namespace {

template <class T>
std::vector<Value<T>> run_graph(const Graph& graph, const spec::Dims& dims, const std::vector<Value<T>>& inputs, Cost* cost,
                                const std::vector<T*>& placements, const Scope<T>* outer);

template <class T>
std::vector<const Value<T>*> gather_inputs(const Node& node, const Scope<T>& scope) {
  std::vector<const Value<T>*> inputs;
  for (const std::string& name : node.inputs) {
    inputs.push_back(name.empty() ? nullptr : scope.find(name));
    if (!name.empty() && inputs.back() == nullptr)
      throw OperatorError(node, fmt::format("input '{}' is not defined before this node", name));
  }
  return inputs;
}

/// Whether `value` is one of `inputs` under another shape.
template <class T>
bool is_view(const Value<T>& value, const std::vector<const Value<T>*>& inputs) {
  const auto* view = std::get_if<Tensor<T>>(&value.elements);
  return view != nullptr && std::ranges::any_of(inputs, [&](const Value<T>* input) {
           const auto* whole = input == nullptr ? nullptr : std::get_if<Tensor<T>>(&input->elements);
           return whole != nullptr && std::less_equal<>()(whole->begin(), view->begin()) &&
                  std::less<>()(view->begin(), whole->begin() + std::max<std::size_t>(1, whole->size()));
         });
}

/// One rounding to `value`'s 16-bit type.
void count_half_rounding(Value<Bounded>& value) {
  constexpr double kUnits = 0x1p24 / 2;  // half a spacing, in units of u
  auto* reals = std::get_if<Tensor<Bounded>>(&value.elements);
  if (reals == nullptr || size_of(value.type) != 2) return;
  for (Bounded& x : *reals)
    if (x.error > 0 || spec::stored_as(x.value, value.type) != x.value) x.error += spec::spacing(x.value, value.type) * kUnits;
}

/// What a definition's containers and helpers throw says nothing of the node: it gets its place here.
template <class T>
void call_definition(const Operator& definition, const Node& node, Call<T>& call) {
  try {
    definition.over<T>()(call);
  } catch (const std::logic_error& error) {
    throw OperatorError(node, error.what());
  }
}

/// What a Scatter node moves within its first input.
template <class T>
double scattered_bytes(const Call<T>& call) {
  const bool reads = call.text("reduction", "none") != "none";
  return (reads ? 2.0 : 1.0) * static_cast<double>(element_count(call.shape(2))) * static_cast<double>(size_of(call.type(2)));
}

template <class T>
void run_node(const Node& written, const Graph& graph, const spec::Dims& dims, Scope<T>& scope, std::vector<T*> placements, Cost* cost) {
  std::optional<Node> concrete;
  if (spec::has_dim_attributes(written)) concrete = spec::at_dims(written, dims);
  const Node& node = concrete ? *concrete : written;
  const Operator* definition = find_operator(node.op_type, node.domain);
  if (definition == nullptr) throw OperatorError(node, "no definition: the operator is unknown");
  const auto run_body = [&](const Graph& body, const std::vector<Value<T>>& values) {
    return run_graph<T>(body, dims, values, cost, {}, &scope);
  };
  const auto inputs = gather_inputs(node, scope);
  Call<T> call(node, graph.opset, inputs, std::move(placements), run_body, graph.compute);
  call_definition(*definition, node, call);
  if (cost != nullptr) {
    cost->flops += call.flops_spent(), cost->bytes += call.bytes_moved();
    if (scattered_input(graph, node) != nullptr) cost->scattered += scattered_bytes(call);
  }
  std::vector<Value<T>> outputs = call.take_outputs();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (node.outputs[i].empty()) continue;
    if (auto* integers = std::get_if<Integers>(&outputs[i].elements); integers != nullptr && size_of(outputs[i].type) < 8)
      for (std::int64_t& x : *integers) x = wrap(x, outputs[i].type);
    if (!is_view(outputs[i], inputs)) {  // else it is rounded already
      if (call.rounds(outputs[i].type)) round_result(outputs[i]);
      if constexpr (std::is_same_v<T, Bounded>)
        if (rounds_halves) count_half_rounding(outputs[i]);
    }
    scope.put(node.outputs[i], std::move(outputs[i]));
  }
}

template <class T>
std::vector<Value<T>> outputs_of(const Graph& graph, const Scope<T>& scope) {
  std::vector<Value<T>> outputs;
  for (const spec::TensorSpec& output : graph.outputs) {
    const Value<T>* value = scope.find(output.name);
    if (value == nullptr) throw std::invalid_argument(fmt::format("evaluate({}): output '{}' is never written", graph.name, output.name));
    outputs.push_back(*value);
  }
  return outputs;
}

template <class T>
std::vector<Value<T>> run_graph(const Graph& graph, const spec::Dims& dims, const std::vector<Value<T>>& inputs, Cost* cost,
                                const std::vector<T*>& placements, const Scope<T>* outer) {
  if (inputs.size() != graph.inputs.size())
    throw std::invalid_argument(
        fmt::format("evaluate({}): got {} inputs, the model has {}", graph.name, inputs.size(), graph.inputs.size()));
  Scope<T> scope(graph, inputs, outer);
  for (std::size_t step = 0; step < graph.nodes.size(); ++step) {
    const Node& node = graph.nodes[step];
    std::vector<T*> here(node.outputs.size(), nullptr);
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
      for (std::size_t o = 0; o < placements.size(); ++o)
        if (graph.outputs[o].name == node.outputs[i]) here[i] = placements[o];
    run_node(node, graph, dims, scope, std::move(here), cost);
    scope.drop_dead(node, step);
  }
  return outputs_of(graph, scope);
}

/// node(node) for every node of the graph and of the bodies in it.
template <class Visit>
void each_node(const Graph& graph, Visit&& visit) {
  for (const Node& node : graph.nodes) {
    visit(node);
    for (const auto& [key, attribute] : node.attributes)
      if (const auto* body = std::get_if<std::shared_ptr<const Graph>>(&attribute)) each_node(**body, visit);
  }
}

}  // namespace

bool add_operator(Operator definition) {
  auto key = std::pair(definition.info.domain, definition.info.name);
  if (!registry().emplace(key, std::move(definition)).second) throw std::logic_error("operator " + key.second + " is defined twice");
  return true;
}

const Operator* find_operator(const std::string& name, const std::string& domain) {
  const auto found = registry().find({domain == "ai.onnx" ? "" : domain, name});
  return found == registry().end() ? nullptr : &found->second;
}

std::vector<const Operator*> all_operators() {
  std::vector<const Operator*> operators;
  for (const auto& [key, definition] : registry()) operators.push_back(&definition);
  return operators;
}

SumOrder sum_order() { return current_order == SumOrder::split ? SumOrder::natural : current_order; }
bool products_are_split() { return current_order == SumOrder::split; }

SumOrderScope::SumOrderScope(SumOrder order) : before_(std::exchange(current_order, order)) {}
SumOrderScope::~SumOrderScope() { current_order = before_; }

HalfRoundingScope::HalfRoundingScope() : before_(std::exchange(rounds_halves, true)) {}
HalfRoundingScope::~HalfRoundingScope() { rounds_halves = before_; }

DoubleRangeScope::DoubleRangeScope(bool in_double)
    : before_(std::exchange(largest_number, in_double ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max())) {}
DoubleRangeScope::~DoubleRangeScope() { largest_number = before_; }

const std::string* scattered_input(const Graph& graph, const Node& node) {
  const auto is_named = [](const std::string& name) { return [&name](const spec::TensorSpec& tensor) { return tensor.name == name; }; };
  const bool found = node.op_type.starts_with("Scatter") && std::ranges::any_of(graph.inputs, is_named(node.inputs.front())) &&
                     std::ranges::any_of(graph.outputs, is_named(node.outputs.front()));
  return found ? &node.inputs.front() : nullptr;
}

template <class T>
std::vector<Value<T>> evaluate(const Graph& graph, const spec::Dims& dims, const std::vector<Value<T>>& inputs, Cost* cost,
                               const std::vector<T*>& placements) {
  return run_graph<T>(graph, dims, inputs, cost, placements, nullptr);
}

template <class T>
Evaluation<T>::Evaluation(const Graph& graph, spec::Dims dims, Cost* cost)
    : graph_(graph), dims_(std::move(dims)), cost_(cost), scope_(std::make_unique<Scope<T>>(graph, nullptr)) {
  scope_->put_constants(graph);
}

template <class T>
Evaluation<T>::Evaluation(const Graph& graph, const Evaluation& recorded)
    : graph_(graph), dims_(recorded.dims_), scope_(std::make_unique<Scope<T>>(graph, recorded.scope_.get())) {}

template <class T>
Evaluation<T>::~Evaluation() = default;

template <class T>
void Evaluation<T>::run(std::size_t node) {
  const Node& next = graph_.nodes[node];
  run_node(next, graph_, dims_, *scope_, std::vector<T*>(next.outputs.size(), nullptr), cost_);
}

template <class T>
const Value<T>* Evaluation<T>::find(const std::string& name) const {
  return scope_->find(name);
}

template <class T>
void Evaluation<T>::put(const std::string& name, Value<T> value) {
  scope_->put(name, std::move(value));
}

template <class T>
void Evaluation<T>::drop(const std::string& name) {
  scope_->drop(name);
}

template <class T>
void Evaluation<T>::drop_dead(std::size_t node) {
  scope_->drop_dead(graph_.nodes[node], node);
}

template <class T>
std::vector<Value<T>> Evaluation<T>::outputs() const {
  return outputs_of(graph_, *scope_);
}

template class Evaluation<double>;
template class Evaluation<float>;
template class Evaluation<Bounded>;

void each_value_read(const Node& node, const std::function<void(const std::string&)>& use) { each_read(node, use); }

template std::vector<Value<double>> evaluate(const Graph&, const spec::Dims&, const std::vector<Value<double>>&, Cost*,
                                             const std::vector<double*>&);
template std::vector<Value<float>> evaluate(const Graph&, const spec::Dims&, const std::vector<Value<float>>&, Cost*,
                                            const std::vector<float*>&);
template std::vector<Value<Bounded>> evaluate(const Graph&, const spec::Dims&, const std::vector<Value<Bounded>>&, Cost*,
                                              const std::vector<Bounded*>&);

void require_known_operators(const Graph& graph) {
  each_node(graph, [&](const Node& node) {
    const Operator* definition = find_operator(node.op_type, node.domain);
    if (definition == nullptr)
      throw spec::SpecError(node.location, fmt::format("model '{}': operator '{}' is unknown to the oracle. do: check its spelling, or "
                                                       "define it in harness/oracle/operators",
                                                       graph.name, node.op_type));
    if (node.domain.empty() && graph.opset < definition->info.since)
      throw spec::SpecError(node.location,
                            fmt::format("model '{0}': operator {1} is there from opset {2} on, got opset {3}. do: say 'opset: "
                                        "{2}' in task.yaml",
                                        graph.name, node.op_type, definition->info.since, graph.opset));
  });
}

Specials special_policy(const Graph& graph) {
  Specials policy = Specials::nan;
  each_node(graph, [&](const Node& node) {
    if (const Operator* definition = find_operator(node.op_type, node.domain)) policy = std::min(policy, definition->info.specials);
  });
  return policy;
}

bool any_operator(const Graph& graph, const std::function<bool(const OperatorInfo&)>& property) {
  bool any = false;
  each_node(graph, [&](const Node& node) {
    const Operator* definition = find_operator(node.op_type, node.domain);
    any = any || definition == nullptr || property(definition->info);
  });
  return any;
}

std::vector<const Operator*> operators_to_explain(const Graph& graph) {
  std::vector<const Operator*> found;
  each_node(graph, [&](const Node& node) {
    const Operator* definition = find_operator(node.op_type, node.domain);
    if (definition != nullptr && !definition->info.meaning.empty() && std::ranges::find(found, definition) == found.end())
      found.push_back(definition);
  });
  return found;
}

spec::Dims bind_dims(const std::vector<spec::TensorSpec>& specs, const std::vector<Shape>& shapes, spec::Dims dims) {
  const auto each_extent = [&](auto&& use) {
    for (std::size_t t = 0; t < specs.size(); ++t)
      for (std::size_t d = 0; d < shapes[t].size(); ++d) use(t, d);
  };
  for (std::size_t t = 0; t < specs.size(); ++t)
    if (specs[t].shape.size() != shapes[t].size())
      throw std::invalid_argument(
          fmt::format("'{}' is declared with rank {}, its value has shape {}", specs[t].name, specs[t].shape.size(), to_string(shapes[t])));
  each_extent([&](std::size_t t, std::size_t d) {
    const spec::Dim& dim = specs[t].shape[d];
    if (dim.symbolic() && dim.derived == nullptr) dims.emplace(dim.name, shapes[t][d]);
  });
  each_extent([&](std::size_t t, std::size_t d) {
    const spec::Dim& dim = specs[t].shape[d];
    const std::int64_t expected = spec::extent_of(dim, dims);
    if (expected != shapes[t][d])
      throw std::invalid_argument(fmt::format("'{}' has shape {}, but its dimension {} ({}) is {}", specs[t].name, to_string(shapes[t]), d,
                                              dim.symbolic() ? dim.name : "fixed", expected));
  });
  return dims;
}

}  // namespace assay::oracle
