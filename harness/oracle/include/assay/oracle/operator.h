// SPDX-License-Identifier: Apache-2.0
// How an ONNX operator is defined: one define(...) in the file of its family (harness/oracle/operators/*.cpp), which
// states its meaning once, over any scalar T: double (the oracle), float (the baseline and the error model), Bounded
// (the error scale). The definition reads inputs and attributes from a Call, checks them, and writes outputs to it.
// To add an operator, add a define() to the file of its family; no list elsewhere names it.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "assay/oracle/bounded.h"
#include "assay/oracle/tensor.h"
#include "assay/spec/graph.h"

namespace assay::oracle {

using spec::Attribute, spec::ConstantTensor, spec::Graph, spec::Node;

/// A node that cannot be evaluated: bad attribute, shapes that do not fit, an unknown operator.
class OperatorError : public std::runtime_error {
 public:
  OperatorError(const Node& node, const std::string& message);
};

/// One evaluation of one node over scalar T.
template <class T>
class Call {
 public:
  using Scalar = T;

  /// Evaluates the body of a control-flow operator; names that it does not define are those of the graphs
  /// around it.
  using Runner = std::function<std::vector<Value<T>>(const Graph& body, const std::vector<Value<T>>& inputs)>;

  Call(const Node& node, int opset, std::vector<const Value<T>*> inputs, std::vector<T*> placements, Runner runner = {},
       std::optional<ElementType> compute = {})
      : node_(node),
        opset_(opset),
        compute_(compute),
        inputs_(std::move(inputs)),
        placements_(std::move(placements)),
        runner_(std::move(runner)),
        outputs_(node.outputs.size()),
        read_(inputs_.size()),
        opens_handled_(inputs_.size()) {}

  const Node& node() const { return node_; }
  int opset() const { return opset_; }
  /// Whether results of this type are rounded once the definition has given them (Graph::compute).
  bool rounds(ElementType type) const { return compute_ == type; }

  // Inputs.
  std::size_t input_count() const { return inputs_.size(); }
  bool has_input(std::size_t i) const {
    if (i < read_.size()) read_[i] = true;
    return i < inputs_.size() && inputs_[i] != nullptr;
  }
  const Value<T>& input(std::size_t i) const;
  ElementType type(std::size_t i) const { return input(i).type; }
  const Shape& shape(std::size_t i) const { return input(i).shape(); }
  const Tensor<T>& reals(std::size_t i) const { return as<Tensor<T>>(i, "floating-point"); }  ///< not of 8 bits: a cast comes first
  const Integers& integers(std::size_t i) const { return as<Integers>(i, "integer"); }
  const Booleans& booleans(std::size_t i) const { return as<Booleans>(i, "boolean"); }
  /// Elements of integer or boolean input i that are open (see Value). If a definition does not ask and there
  /// are some, no element of its outputs is judged.
  const std::vector<std::uint8_t>& open(std::size_t i) const;
  /// A 1-D (or scalar) integer input as a list, such as axes or a target shape.
  std::vector<std::int64_t> integer_list(std::size_t i) const;

  // Attributes, with ONNX's defaults. A wrong type is an OperatorError. So is an attribute or input that the
  // definition never reads: its name is misspelt, or the operator takes fewer inputs.
  bool has_attribute(const std::string& name) const { return find_attribute(name) != nullptr; }
  std::int64_t integer(const std::string& name, std::optional<std::int64_t> fallback = {}) const;
  double real(const std::string& name, std::optional<double> fallback = {}) const;
  std::string text(const std::string& name, std::optional<std::string> fallback = {}) const;
  std::vector<std::int64_t> integer_list(const std::string& name, std::vector<std::int64_t> fallback = {}) const;
  std::vector<double> real_list(const std::string& name, std::vector<double> fallback = {}) const;
  template <class A>
  const A* attribute_if(const std::string& name) const;
  /// Marks attributes and inputs as read that this meaning of the operator does not need.
  void ignore(const std::vector<std::string>& names) const {
    for (const auto& name : names) find_attribute(name);
  }
  void ignore_input(std::size_t i) const { has_input(i); }

  // Bodies of control flow: graph(name) is a graph attribute, run its outputs.
  const Graph& graph(const std::string& name) const;
  std::vector<Value<T>> run(const Graph& body, const std::vector<Value<T>>& inputs) const { return runner_(body, inputs); }

  // Outputs. wants(i) is false where the node leaves an optional output unnamed.
  bool wants(std::size_t i) const { return i < node_.outputs.size() && !node_.outputs[i].empty(); }
  /// Allocates output i, uninitialised; E is T, std::int64_t or std::uint8_t and must fit `type`.
  template <class E>
  Tensor<E>& output(std::size_t i, Shape shape, ElementType type);
  /// The same with the type of input `like`.
  template <class E>
  Tensor<E>& output_like(std::size_t i, Shape shape, std::size_t like = 0) {
    return output<E>(i, std::move(shape), type(like));
  }
  Tensor<T>& reals_out(std::size_t i, Shape shape) { return output<T>(i, std::move(shape), real_type()); }
  Integers& integers_out(std::size_t i, Shape shape, ElementType type = ElementType::i64) {
    return output<std::int64_t>(i, std::move(shape), type);
  }
  Booleans& booleans_out(std::size_t i, Shape shape) { return output<std::uint8_t>(i, std::move(shape), ElementType::boolean); }
  /// Output i is `value`: no copy.
  void put(std::size_t i, Value<T> value);
  /// Marks elements of integer or boolean output i as open (see Value); `which` is as long as the output, or
  /// empty.
  void leave_open(std::size_t i, std::vector<std::uint8_t> which);
  /// Declares every element of every output open, so that none is judged: within the inputs' errors even the
  /// computation may differ (another branch, more rounds of a loop, other boxes).
  void leave_all_open() { all_open_ = true; }
  /// Output i is input j's elements, under `shape`: no copy.
  void forward(std::size_t i, std::size_t j, Shape shape);

  /// visitor(const Tensor<E>&) for whichever E input i holds: one definition for every element type.
  template <class Visitor>
  void visit(std::size_t i, Visitor&& visitor) const {
    std::visit(std::forward<Visitor>(visitor), input(i).elements);
  }

  /// The node itself moves no data: its outputs are views, or what its body wrote.
  void moves_nothing() { moves_ = false; }
  /// Floating-point operations of this node, for rooflines; without a call, one for each output element.
  void flops(double count) { flops_ = count; }

  [[noreturn]] void fail(const std::string& message) const { throw OperatorError(node_, message); }
  void require(bool condition, const std::string& message) const {
    if (!condition) fail(message);
  }
  /// `axis` counted from the end where negative; an error where it is outside [-rank, rank).
  std::size_t axis(std::int64_t axis, std::size_t rank) const;

  // For the evaluator.
  std::vector<Value<T>> take_outputs();
  double flops_spent() const;
  /// Bytes of the inputs and of the outputs, each once; 0 for a view.
  double bytes_moved() const;

 private:
  const Attribute* find_attribute(const std::string& name) const;
  void require_all_used() const;
  void spread_open();
  template <class V>
  const V& as(std::size_t i, const char* wanted) const;
  ElementType real_type() const;

  const Node& node_;
  int opset_;
  std::optional<ElementType> compute_;
  std::vector<const Value<T>*> inputs_;
  std::vector<T*> placements_;  ///< where output i is to be written, or nullptr: lets the baseline avoid a copy
  Runner runner_;
  std::vector<std::optional<Value<T>>> outputs_;
  std::optional<double> flops_;
  bool moves_ = true, all_open_ = false;
  mutable std::vector<bool> read_, opens_handled_;  ///< of each input: looked at; asked for its open elements
  mutable std::vector<const Attribute*> attributes_read_;
};

/// The widest class of special input values for which the operator's result is defined well enough to be tested.
enum class Specials { finite, infinite, nan };

struct OperatorInfo {
  std::string name;
  Specials specials = Specials::finite;
  int since = 1;  ///< first opset of the meaning given here
  std::string domain = "";
  bool transforms = false;       ///< honest kernels may transform (Winograd, FFT), and then round even where sums are exact
  bool sized_by_values = false;  ///< how large its outputs are depends on what its inputs hold
  bool reads_all = false;        ///< each element of each input affects some output, whatever the other elements are
  bool splits = false;           ///< a product of matrices, which honest kernels may split (Strassen)
  std::string meaning = "";      ///< of an operator that ONNX lacks: all that a kernel's author must know, for the prompt
};

struct Operator {
  OperatorInfo info;
  std::function<void(Call<double>&)> in_double;
  std::function<void(Call<float>&)> in_float;
  std::function<void(Call<Bounded>&)> in_bounded;

  template <class T>
  const std::function<void(Call<T>&)>& over() const {
    if constexpr (std::is_same_v<T, double>) return in_double;
    else if constexpr (std::is_same_v<T, float>) return in_float;
    else return in_bounded;
  }
};

/// Makes the operator known; a name defined twice in one domain is a std::logic_error. Returns true for static initialisation.
bool add_operator(Operator definition);

template <class Definition>
bool define(OperatorInfo info, Definition definition) {
  return add_operator({std::move(info), definition, definition, definition});
}

/// nullptr where nothing defines it.
const Operator* find_operator(const std::string& name, const std::string& domain = "");
/// Of the graph and of the graphs within it the operators that have a `meaning`, each once.
std::vector<const Operator*> operators_to_explain(const Graph& graph);
/// Whether `property` holds for an operator of the graph or of the graphs within it; an unknown one counts.
bool any_operator(const Graph& graph, const std::function<bool(const OperatorInfo&)>& property);
std::vector<const Operator*> all_operators();

// call.cpp has the bodies.
extern template class Call<double>;
extern template class Call<float>;
extern template class Call<Bounded>;

}  // namespace assay::oracle
