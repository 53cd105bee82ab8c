// SPDX-License-Identifier: Apache-2.0
// From libonnx's protobuf messages to spec::Graph. Internal to spec, and used by the conformance tests.
#pragma once

#include <onnx/onnx_pb.h>

#include "assay/spec/graph.h"

namespace assay::spec {

/// Throws SpecError (without a line) for element types and attribute kinds that no numeric operator has.
Graph graph_from_proto(const onnx::GraphProto& proto, int opset, std::optional<ElementType> compute = {});
ConstantTensor constant_from_proto(const onnx::TensorProto& proto);

}  // namespace assay::spec
