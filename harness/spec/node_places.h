// SPDX-License-Identifier: Apache-2.0
// Where the nodes of a model stand in its text, which libonnx's parser does not keep. Internal to spec.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

#include "plain_text.h"

namespace assay::spec {

/// Notes the offset in `text` of each node, bodies of control flow included, and of each function's name.
void note_places(const std::string& text, onnx::GraphProto& graph, std::vector<onnx::FunctionProto>& functions);

/// Notes it for a node that the text does not have as such.
void note_place(onnx::NodeProto& node, std::size_t at);

/// What was noted of a node or a function; 0 where nothing was.
std::size_t noted_place(const onnx::NodeProto& node);
std::size_t noted_place(const onnx::FunctionProto& function);

/// Tells the nodes of `graph`, made of `proto`, their places.
void give_places(const onnx::GraphProto& proto, const Locator& locate, Graph& graph);

}  // namespace assay::spec
