// SPDX-License-Identifier: Apache-2.0
// A task's model as a plain graph: what libonnx parsed, free of protobuf, so that the oracle depends on neither.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "assay/spec/tensor_type.h"

namespace assay::spec {

struct Graph;

/// A constant tensor: reals for floating types, integers for integers and booleans (0 or 1).
struct ConstantTensor {
  ElementType type = ElementType::f32;
  Shape shape;
  std::vector<double> reals;
  std::vector<std::int64_t> integers;
};

/// Integers of an attribute that follow from dimensions: group = G, pads = [K / 2, K / 2].
struct DimAttribute {
  std::vector<std::shared_ptr<const DimExpression>> values;
  bool is_list = false;
  bool operator==(const DimAttribute& other) const;  ///< the same text
};

using Attribute = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>,
                               ConstantTensor, std::shared_ptr<const Graph>, DimAttribute>;

/// Where a node stands in task.yaml, both from 1; line 0 where unknown.
struct SourceLocation {
  std::string file;
  int line = 0;
  int column = 0;
};

struct Node {
  std::string op_type;
  std::string domain;                ///< empty for ONNX's default domain
  std::vector<std::string> inputs;   ///< an empty name is an omitted optional input
  std::vector<std::string> outputs;  ///< an empty name is an unused optional output
  std::map<std::string, Attribute> attributes;
  SourceLocation location;
};

struct Graph {
  std::string name;
  int opset = 17;
  std::optional<ElementType> compute;  ///< results of this type are rounded to it where they arise; bodies say the same
  std::vector<TensorSpec> inputs;
  std::vector<TensorSpec> outputs;
  std::map<std::string, ConstantTensor> initializers;
  std::vector<Node> nodes;  ///< in topological order
};

}  // namespace assay::spec
