// SPDX-License-Identifier: Apache-2.0
// Functions that a model brings: ONNX's model-local functions, whose nodes take the place of each call.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

#include "plain_text.h"

namespace assay::spec {

/// Puts the nodes of the function in place of each node of `graph` that calls one. What a function computes on its way to `h` is called
/// `h.<function>.<name>`. `literals` are placeholders of numbers, which are no names of values. Nodes and functions have noted places.
/// Throws SpecError: a function or a call that is not right, or a function that is never called.
void inline_functions(const std::vector<onnx::FunctionProto>& functions, int opset, const std::vector<std::string>& literals,
                      const Locator& locate, onnx::GraphProto& graph);

}  // namespace assay::spec
