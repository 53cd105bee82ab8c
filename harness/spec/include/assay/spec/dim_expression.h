// SPDX-License-Identifier: Apache-2.0
// Extents and integer attributes that follow from dimensions: float[N, 2*C], group = G.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "assay/spec/graph.h"

namespace assay::spec {

struct LaunchExpression;

/// Numbers, dimensions, + - * / %, min, max, div_up and round_up, as in a launch block, but a quotient has to be whole.
struct DimExpression {
  std::string text;                ///< as the model has it, without blanks
  std::vector<std::string> names;  ///< its dimensions, in order of appearance
  std::string what;                ///< "extent 2*C", "attribute 'group'"
  std::int64_t least = 1;          ///< 1 of an extent; of an attribute any number will do
  SourceLocation location;
  std::shared_ptr<const LaunchExpression> steps;
};

/// Throws SpecError at the expression's place: it is not whole, too small, or overflows. `who` says whose `dims` they are.
std::int64_t value_of(const DimExpression& expression, const Dims& dims, const std::string& who = "");

/// The same of an expression; std::out_of_range where a dimension has no value.
std::int64_t extent_of(const Dim& dim, const Dims& dims);

/// An attribute that is an integer, as a number or by dimensions.
std::int64_t integer_of(const Attribute& attribute, const Dims& dims);

bool has_dim_attributes(const Node& node);
/// `node` with numbers in place of dimensions.
Node at_dims(const Node& node, const Dims& dims);

/// visit(expression) for every attribute of the graph's nodes, bodies included.
void each_dim_attribute(const Graph& graph, const std::function<void(const DimExpression&)>& visit);

}  // namespace assay::spec
