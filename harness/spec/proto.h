// SPDX-License-Identifier: Apache-2.0
// From libonnx's protobuf messages to assay::Graph. Internal to spec, and used by the conformance tests.
#pragma once

#include <onnx/onnx_pb.h>

#include "assay/spec/graph.h"

namespace assay {

/// Throws SpecError (without a line) for element types and attribute kinds that no numeric operator has.
Graph graph_from_proto(const onnx::GraphProto& proto, int opset);
ConstantTensor constant_from_proto(const onnx::TensorProto& proto);

/// IEEE binary16 / bfloat16 bit patterns to double, exactly.
double double_from_f16(std::uint16_t bits);
double double_from_bf16(std::uint16_t bits);

}  // namespace assay
