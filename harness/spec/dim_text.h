// SPDX-License-Identifier: Apache-2.0
// Expressions of dimensions in a model's text, float[N, 2*C] and group = G, which the ONNX text syntax does not have.
#pragma once

#include <string>
#include <vector>

#include "assay/spec/dim_expression.h"
#include "plain_text.h"

namespace onnx {
class GraphProto;
}

namespace assay::spec {

struct WrittenExpression {
  Replacement replacement;
  std::string name;  ///< what libonnx reads: a dimension's name, or a string
  bool is_attribute = false;
  DimAttribute dims;  ///< of an extent: the one expression
};

/// The expressions of `text`. Throws SpecError at what is none.
std::vector<WrittenExpression> find_expressions(const std::string& text, const Locator& locate);

/// Puts the expressions in place of what libonnx has read.
void put_expressions(const std::vector<WrittenExpression>& expressions, Graph& graph);

/// Gives attributes that are expressions numbers, so that libonnx can check their kind.
void put_numbers(const std::vector<WrittenExpression>& expressions, onnx::GraphProto& graph);

}  // namespace assay::spec
