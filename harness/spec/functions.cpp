// SPDX-License-Identifier: Apache-2.0
#include "functions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "assay/spec/error.h"
#include "node_places.h"

namespace assay::spec {
namespace {

using onnx::AttributeProto;
using onnx::FunctionProto;
using onnx::NodeProto;
using Nodes = google::protobuf::RepeatedPtrField<NodeProto>;

constexpr std::size_t kMostNodes = 1 << 14, kDeepest = 32;

std::string name_of(const FunctionProto& function) { return function.domain() + "." + function.name(); }

template <class List, class Value>
bool contains(const List& list, const Value& value) {
  return std::ranges::find(list, value) != list.end();
}

/// The nodes of one call of a function, with the names of the graph that calls it.
class Call {
 public:
  Call(const FunctionProto& function, const NodeProto& node, const std::set<std::string>& literals, const Locator& locate)
      : function_(function),
        node_(node),
        literals_(literals),
        locate_(locate),
        prefix_(fmt::format("{}.{}.", node.output(0), function.name())) {
    for (int i = 0; i < function.input_size(); ++i) names_[function.input(i)] = node.input(i);
    for (int i = 0; i < function.output_size(); ++i) outputs_[function.output(i)] = node.output(i);
  }

  Nodes nodes() {
    Nodes nodes = function_.node();
    rename(nodes);
    return nodes;
  }

 private:
  void rename(Nodes& nodes) {
    for (NodeProto& node : nodes) {
      for (std::string& input : *node.mutable_input()) input = read(input, node);
      for (AttributeProto& attribute : *node.mutable_attribute()) {
        if (!attribute.ref_attr_name().empty()) put_value(attribute, node);
        else if (attribute.has_g()) Call(*this).rename_body(*attribute.mutable_g(), node);
      }
      for (std::string& output : *node.mutable_output()) output = write(output, node);
    }
  }

  /// In a copy of the call: what a body names is known there alone.
  void rename_body(onnx::GraphProto& body, const NodeProto& node) {
    outputs_.clear();
    for (auto& input : *body.mutable_input()) input.set_name(write(input.name(), node));
    for (auto& tensor : *body.mutable_initializer()) tensor.set_name(write(tensor.name(), node));
    rename(*body.mutable_node());
    for (auto& output : *body.mutable_output()) output.set_name(read(output.name(), node));
  }

  std::string read(const std::string& name, const NodeProto& node) const {
    if (name.empty() || literals_.contains(name)) return name;
    const auto found = names_.find(name);
    if (found == names_.end())
      fail(node, fmt::format("{} reads '{}', which nothing before it in {} writes", node.op_type(), name, name_of(function_)));
    return found->second;
  }

  std::string write(const std::string& name, const NodeProto& node) {
    if (name.empty()) return name;
    const auto output = outputs_.find(name);
    const auto [at, is_new] = names_.emplace(name, output == outputs_.end() ? prefix_ + name : output->second);
    if (!is_new) fail(node, fmt::format("{} writes '{}', which is written already in {}", node.op_type(), name, name_of(function_)));
    return at->second;
  }

  /// `group = @groups`: what the call gives as groups.
  void put_value(AttributeProto& attribute, const NodeProto& node) const {
    const auto given = std::ranges::find(node_.attribute(), attribute.ref_attr_name(), &AttributeProto::name);
    if (given == node_.attribute().end())
      fail(node, fmt::format("@{} is no attribute of {}. do: write it behind the function's name, as in {} <{}> (...)",
                             attribute.ref_attr_name(), name_of(function_), function_.name(), attribute.ref_attr_name()));
    const std::string name = attribute.name();
    attribute = *given;
    attribute.set_name(name);
  }

  [[noreturn]] void fail(const NodeProto& node, const std::string& what) const {
    throw SpecError(locate_(noted_place(node)), "model: " + what);
  }

  const FunctionProto& function_;
  const NodeProto& node_;
  const std::set<std::string>& literals_;
  const Locator& locate_;
  const std::string prefix_;
  std::map<std::string, std::string> names_;    ///< of what is written so far
  std::map<std::string, std::string> outputs_;  ///< of the function's outputs
};

class Inliner {
 public:
  Inliner(const std::vector<FunctionProto>& functions, int opset, const std::vector<std::string>& literals, const Locator& locate)
      : literals_(literals.begin(), literals.end()), locate_(locate) {
    for (const FunctionProto& function : functions) {
      require_right(function, opset);
      if (!functions_.emplace(std::pair{function.domain(), function.name()}, &function).second)
        fail(function, "is there twice. do: keep one");
    }
  }

  void expand(Nodes& nodes) {
    Nodes given;
    given.Swap(&nodes);
    for (NodeProto& node : given) {
      for (AttributeProto& attribute : *node.mutable_attribute()) {
        if (!attribute.ref_attr_name().empty())
          fail(node, fmt::format("@{} stands outside of a function. do: write a value", attribute.ref_attr_name()));
        if (attribute.has_g()) expand(*attribute.mutable_g()->mutable_node());
      }
      const auto called = functions_.find({node.domain(), node.op_type()});
      if (called != functions_.end()) expand_call(*called->second, node, nodes);
      else if (++count_ > kMostNodes) fail(node, fmt::format("with all functions in place the model has more than {} nodes", kMostNodes));
      else nodes.Add()->Swap(&node);
    }
  }

  void require_all_called() const {
    for (const auto& [name, function] : functions_)
      if (!called_.contains(function)) fail(*function, "is never called. do: call it, or leave it out");
  }

 private:
  void expand_call(const FunctionProto& function, const NodeProto& call, Nodes& nodes) {
    if (contains(open_, &function)) fail(call, fmt::format("{} calls itself", name_of(function)));
    if (open_.size() == kDeepest) fail(call, fmt::format("calls are nested more than {} deep", kDeepest));
    require_fitting(function, call);
    called_.insert(&function);
    Nodes body = Call(function, call, literals_, locate_).nodes();
    open_.push_back(&function);
    expand(body);
    open_.pop_back();
    for (NodeProto& node : body) nodes.Add()->Swap(&node);
  }

  void require_right(const FunctionProto& function, int opset) const {
    if (function.domain().empty() || function.domain() == "ai.onnx")
      fail(function,
           fmt::format("has no domain of its own. do: write <domain: \"local\"> before it, and call it local.{}", function.name()));
    for (const auto& import : function.opset_import())
      if (import.domain().empty() && import.version() != opset)
        fail(function, fmt::format("imports opset {}, the model's is {}. do: leave its opset_import out", import.version(), opset));
    if (function.output_size() == 0) fail(function, "has no output");
    std::set<std::string> written, formals;
    for (const NodeProto& node : function.node()) written.insert(node.output().begin(), node.output().end());
    for (const std::string& output : function.output())
      if (!written.contains(output)) fail(function, fmt::format("never writes its output '{}'", output));
    for (const auto* names : {&function.input(), &function.output()})
      for (const std::string& name : *names)
        if (!formals.insert(name).second) fail(function, fmt::format("has '{}' twice among its inputs and outputs", name));
  }

  void require_fitting(const FunctionProto& function, const NodeProto& call) const {
    const auto require_number = [&](int got, int takes, const char* what) {
      if (got != takes) fail(call, fmt::format("{} has {} {}, the call {}", name_of(function), takes, what, got));
    };
    require_number(call.input_size(), function.input_size(), "inputs");
    require_number(call.output_size(), function.output_size(), "outputs");
    std::set<std::string> given;
    for (const AttributeProto& attribute : call.attribute()) {
      if (!contains(function.attribute(), attribute.name()))
        fail(call,
             fmt::format("{} has no attribute '{}'. known: {}", name_of(function), attribute.name(), fmt::join(function.attribute(), " ")));
      if (!given.insert(attribute.name()).second) fail(call, fmt::format("attribute '{}' is given twice", attribute.name()));
    }
    for (const std::string& name : function.attribute())
      if (!given.contains(name)) fail(call, fmt::format("the call leaves out attribute '{}' of {}", name, name_of(function)));
  }

  [[noreturn]] void fail(const NodeProto& node, const std::string& what) const {
    throw SpecError(locate_(noted_place(node)), "model: " + what);
  }
  [[noreturn]] void fail(const FunctionProto& function, const std::string& what) const {
    throw SpecError(locate_(noted_place(function)), fmt::format("model: function '{}' {}", function.name(), what));
  }

  std::map<std::pair<std::string, std::string>, const FunctionProto*> functions_;
  std::set<std::string> literals_;
  const Locator& locate_;
  std::vector<const FunctionProto*> open_;  ///< whose calls are being expanded
  std::set<const FunctionProto*> called_;
  std::size_t count_ = 0;
};

}  // namespace

void inline_functions(const std::vector<FunctionProto>& functions, int opset, const std::vector<std::string>& literals,
                      const Locator& locate, onnx::GraphProto& graph) {
  Inliner inliner(functions, opset, literals, locate);
  inliner.expand(*graph.mutable_node());
  inliner.require_all_called();
}

}  // namespace assay::spec
