// SPDX-License-Identifier: Apache-2.0
// A model written in the ONNX text syntax, to a checked Graph whose nodes know their place in task.yaml.
#pragma once

#include <string>

#include "assay/spec/graph.h"

namespace assay::spec {

/// Where a block of text stands in its file: text line i (from 0) is file line `line + i`, indented by `indent` columns.
struct TextPlace {
  std::string file;
  int line = 1;
  int indent = 0;
};

enum class ModelChecks { all, names };

/// Parses (libonnx), puts functions in place of their calls, checks names, and where libonnx knows the opset and all is to be checked, its
/// operators' attributes and shapes too. Throws SpecError at the offending line and column.
/// `compute` is Graph::compute.
Graph parse_model(const std::string& text, int opset, const TextPlace& place, ModelChecks checks = ModelChecks::all,
                  std::optional<ElementType> compute = {});

}  // namespace assay::spec
