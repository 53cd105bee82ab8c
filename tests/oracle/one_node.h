// SPDX-License-Identifier: Apache-2.0
// A model of one node, for tests of one operator: OneNode("Softmax").with("axis", -1).run<double>({reals({2},
// {1, 2})}).
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "assay/oracle/evaluate.h"

namespace assay::oracle {

/// A constant that becomes a Value over any scalar.
struct Input {
  ElementType type = ElementType::f32;
  Shape shape;
  std::vector<double> elements;
  bool omitted = false;  ///< an optional input that the node leaves unnamed

  template <class T>
  Value<T> value() const {
    const auto fill = [&](auto tensor) {
      for (std::size_t i = 0; i < elements.size(); ++i) tensor[i] = static_cast<std::decay_t<decltype(tensor[i])>>(elements[i]);
      return Value<T>{type, tensor};
    };
    switch (info(type).element_class) {
      case ElementClass::integer: return fill(Integers(shape));
      case ElementClass::boolean: return fill(Booleans(shape));
      case ElementClass::real: break;
    }
    return fill(Tensor<T>(shape));
  }
};

inline Input reals(Shape shape, std::vector<double> elements) { return {ElementType::f32, std::move(shape), std::move(elements)}; }
inline Input integers(Shape shape, std::vector<double> elements, ElementType type = ElementType::i64) {
  return {type, std::move(shape), std::move(elements)};
}
inline Input booleans(Shape shape, std::vector<double> elements) { return {ElementType::boolean, std::move(shape), std::move(elements)}; }
inline Input omitted() { return {ElementType::f32, {}, {}, true}; }

class OneNode {
 public:
  explicit OneNode(std::string op_type, std::size_t outputs = 1) {
    node_.op_type = std::move(op_type);
    node_.location = {"test", 1, 1};
    for (std::size_t i = 0; i < outputs; ++i) node_.outputs.push_back(fmt::format("y{}", i));
    graph_.name = "one_node";
  }
  OneNode with(const std::string& name, Attribute value) const {
    OneNode other = *this;
    other.node_.attributes[name] = std::move(value);
    return other;
  }
  OneNode with(const std::string& name, int value) const { return with(name, Attribute(std::int64_t{value})); }
  OneNode with(const std::string& name, double value) const { return with(name, Attribute(value)); }
  OneNode with(const std::string& name, const char* value) const { return with(name, Attribute(std::string(value))); }
  OneNode with_list(const std::string& name, std::vector<std::int64_t> value) const { return with(name, Attribute(std::move(value))); }
  OneNode opset(int version) const {
    OneNode other = *this;
    other.graph_.opset = version;
    return other;
  }
  OneNode domain(const std::string& name) const {
    OneNode other = *this;
    other.node_.domain = name;
    return other;
  }

  template <class T>
  std::vector<Value<T>> run(const std::vector<Input>& inputs, Cost* cost = nullptr) const {
    Graph graph = graph_;
    Node node = node_;
    std::vector<Value<T>> values;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      node.inputs.push_back(inputs[i].omitted ? "" : fmt::format("x{}", i));
      if (inputs[i].omitted) continue;
      spec::TensorSpec spec;
      spec.name = node.inputs.back();
      spec.type = inputs[i].type;
      graph.inputs.push_back(spec);
      values.push_back(inputs[i].value<T>());
    }
    for (const std::string& name : node.outputs) {
      spec::TensorSpec spec;
      spec.name = name;
      graph.outputs.push_back(spec);
    }
    graph.nodes = {node};
    return evaluate<T>(graph, values, cost);
  }

 private:
  Graph graph_;
  Node node_;
};

/// Elements of a value as doubles, whatever its kind.
template <class T>
std::vector<double> elements(const Value<T>& value) {
  return std::visit(
      [](const auto& tensor) {
        std::vector<double> all;
        for (const auto& x : tensor) {
          if constexpr (std::is_same_v<std::decay_t<decltype(x)>, Bounded>) all.push_back(x.value);
          else all.push_back(static_cast<double>(x));
        }
        return all;
      },
      value.elements);
}

/// Checks shape and elements of output `index`, over double and over float; NaN equals NaN.
inline void expect(const OneNode& node, const std::vector<Input>& inputs, const Shape& shape, const std::vector<double>& wanted,
                   std::size_t index = 0, double tolerance = 1e-12) {
  const auto compare = [&](const auto& outputs, double relative) {
    ASSERT_GT(outputs.size(), index);
    EXPECT_EQ(outputs[index].shape(), shape);
    const std::vector<double> got = elements(outputs[index]);
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (std::isnan(wanted[i])) EXPECT_TRUE(std::isnan(got[i])) << "element " << i << " is " << got[i];
      else if (std::isinf(wanted[i])) EXPECT_EQ(got[i], wanted[i]) << "element " << i;
      else EXPECT_NEAR(got[i], wanted[i], relative * std::max(1.0, std::abs(wanted[i]))) << "element " << i;
    }
  };
  {
    SCOPED_TRACE("over double");
    compare(node.run<double>(inputs), tolerance);
  }
  {
    SCOPED_TRACE("over float");
    compare(node.run<float>(inputs), std::max(tolerance, 2e-6));
  }
  {
    SCOPED_TRACE("over Bounded");
    compare(node.run<Bounded>(inputs), tolerance);
  }
}

}  // namespace assay::oracle
